import csv
import io
import json
from pathlib import Path

import pytest

from contest.models import AuditEntry, Program, Purpose
from contest.outreach import programs

pytestmark = pytest.mark.django_db
DESK = "/en/desk/programs/"
FACTS = {
    "name": "Pusher", "purposes": ["play", "solve"], "systems": ["linux"], "first_year": "1999", "author": "Ann",
    "sources": "its readme\nhttps://pusher.example/about",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _empty_list(db):
    Program.objects.all().delete()


def test_an_organiser_adds_changes_and_deletes_a_program(organiser):
    assert organiser.post(DESK, FACTS).status_code == 302
    program = Program.objects.get()
    assert (program.purposes, program.first_year, program.last_year) == (["play", "solve"], 1999, None)
    organiser.post(f"{DESK}{program.pk}/", FACTS | {"last_year": "2004"})
    organiser.post(f"{DESK}{program.pk}/", {"do": "delete"})
    assert not Program.objects.exists()
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", "after"))
    assert [act for act, _after in acts] == ["make program", "change program", "delete program"]
    assert acts[1][1] == {"last_year": 2004}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"sources": "see javascript://a"}, "sources"),
        ({"url": "javascript:alert(1)"}, "url"),
        ({"purposes": []}, "purposes"),
        ({"last_year": "1998"}, "__all__"),
    ],
)
def test_a_program_needs_a_source_a_purpose_safe_links_and_years_in_order(organiser, changes, field):
    answer = organiser.post(DESK, FACTS | changes)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert not Program.objects.exists()


def test_the_page_lists_known_facts_and_filters(client):
    Program.objects.create(name="Pusher", purposes=["play"], systems=["linux"], sources="https://pusher.example/<b>")
    Program.objects.create(name="Thinker", purposes=["solve"], systems=["java"], state="gone", sources="a letter")
    page = client.get("/en/programs/").content.decode()
    assert 'href="https://pusher.example/&lt;b&gt;"' in page
    assert "None" not in page
    for query, names in (
        ("purpose=solve", ["Thinker"]),
        ("purpose=solve&system=linux", []),
        ("purpose=nonsense", ["Pusher", "Thinker"]),
    ):
        assert [row.name for row in client.get(f"/en/programs/?{query}").context["listed"]] == names


def test_the_open_data_leave_out_what_is_not_known(client):
    Program.objects.create(name="Pusher", purposes=["play", "edit"], first_year=1999, sources="=1\nb")
    expected = {"name": "Pusher", "purposes": ["play", "edit"], "first_year": 1999, "sources": ["=1", "b"]}
    assert client.get("/en/programs/programs.json").json() == {"programs": [expected]}
    (row,) = csv.DictReader(io.StringIO(client.get("/en/programs/programs.csv").text))
    assert (row["purposes"], row["sources"], row["author"]) == ("play; edit", "'=1; b", "")


def test_the_programs_of_a_new_site_are_valid_and_each_has_a_source():
    facts = json.loads((Path(programs.__file__).with_suffix(".json")).read_text())
    for one in facts:
        program = Program(**one)
        program.full_clean()
        programs.save(program, by=None)
        assert program.source_lines
    assert {program.name for program in programs.find(Purpose.EDIT)} == {"Leitai", "SokoEditor HTML5"}
