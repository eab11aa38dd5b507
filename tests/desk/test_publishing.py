from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from contest.infra import clock
from contest.library import shelf
from contest.models import AuditEntry, Level, LibraryLevel, Round
from contest.rules.phases import Phase
from solvers import sokoban
from tests import cast
from tests.desk.conftest import BEFORE, DESK, member, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_round")]

LEVEL = "######\n#@ $.#\n######"
LONGER = {"text": "#######\n#@ $ .#\n#######", "solution": "rRR"}
PASTED = f"Title: Small\nAuthor: Ann\n\n{LEVEL}\n\nSolution:\nrR\n"
NEW = "/en/desk/levels/new/"


def read(client, pasted="", **more):
    return client.post(NEW, {"do": "read", "pasted": pasted, **more})


def put(client, do="round", **fields):
    given = {"text": LEVEL, "solution": "rR", "title": "Small", "author": "Ann", "slot": "main", "do": do, **fields}
    return client.post(NEW, given)


def a_draft(client) -> Round:
    assert put(client).status_code == 302
    return Round.objects.get()


def test_level_and_solution_in_one_text_or_file_are_both_read(organiser):
    file = SimpleUploadedFile("small.sok", PASTED.encode())
    for shown in (read(organiser, PASTED), read(organiser, file=file)):
        form = shown.context["form"]
        assert [form[name].value() for name in ("solution", "title", "author")] == ["rR", "Small", "Ann"]
        assert "Your solution solves it: 2 moves, 1 push." in shown.text
    picture = SimpleUploadedFile("a.png", b"\x89PNG\0\0\0\xff\xfe\0")
    assert "This is not a text file." in read(organiser, file=picture).text


def test_a_level_becomes_a_draft_that_is_previewed_and_published(organiser):
    """Rules 2.7, 2.8, 3.6, 15.3: but not with a fault, and once."""
    round_ = a_draft(organiser)
    assert (round_.number, round_.phase(clock.now())) == (1, Phase.DRAFT)
    assert round_.levels.get().solution == "rR"
    assert "Small" in organiser.get(f"/en/desk/drafts/{round_.pk}/preview/").text
    publish = f"/en/desk/rounds/{round_.number}/publish/"
    Level.objects.update(solution="")
    assert "The organiser&#x27;s own solution is missing." in organiser.post(publish, follow=True).text
    assert Round.objects.get().announced_at is None
    Level.objects.update(solution="rR")
    organiser.post(publish)
    assert Round.objects.get().phase(clock.now()) is Phase.SCHEDULED
    assert "The round is announced already." in organiser.post(publish, follow=True).text
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))
    assert acts == ["make round", "put level", "change round"]


def test_the_preview_shows_the_level_as_a_stranger_sees_it_and_writes_nothing(organiser):
    round_ = a_draft(organiser)
    with CaptureQueriesContext(connection) as queries:
        page = organiser.get(f"/en/desk/drafts/{round_.pk}/preview/main/").text
    assert not [query["sql"] for query in queries if "contest_round" in query["sql"] and "UPDATE" in query["sql"]]
    assert "SHA-256" in page
    assert "Desk</a>" not in page.split('<main id="main">')[0]
    assert signed_in(member("operator")).get(f"/en/rounds/{round_.number}/").status_code == 404


def test_a_known_level_is_shown_beside_the_new_one_even_when_turned(organiser):
    """Rule 2.7: and it is accepted after a confirmation, like one with any other warning."""
    put(organiser, do="library")
    for warned in ({}, {**LONGER, "author": ""}):
        assert "Read the warnings, then tick this." in put(organiser, **warned).text
    assert put(organiser, confirmed="on").status_code == 302
    answer = read(organiser, "######\n#.$ @#\n######\nlL")
    assert [twin.name for twin in answer.context["looked"].twins] == ["Round 1 · Main", "Library: Small"]


def test_a_replaced_level_of_another_organiser_goes_to_the_library(organiser):
    round_ = a_draft(organiser)
    second = signed_in(member("organiser", "second"))
    other = {**LONGER, "title": "Longer", "author": "Bo", "round": round_.pk, "slot": "main", "do": "round"}
    assert "The previous level, Small, was moved to the library." in second.post(NEW, other, follow=True).text
    assert (Level.objects.get().title, LibraryLevel.objects.get().title) == ("Longer", "Small")


def test_a_level_of_the_library_goes_back_to_it(organiser):
    level_url = put(organiser, do="library", confirmed="on").url
    organiser.post(level_url, {"do": "use", "slot": "main"})
    assert LibraryLevel.objects.get().state == "used"
    organiser.post("/en/desk/rounds/1/clear/main/")
    assert (LibraryLevel.objects.get().state, LibraryLevel.objects.get().used_in) == ("ready", None)
    for do, state in (("away", "retired"), ("back", "draft")):
        organiser.post(level_url, {"do": do})
        assert LibraryLevel.objects.get().state == state


def test_authors_see_only_twins_that_they_may_see(organiser, author):
    """Rule 7.4."""

    def twins(client) -> list[str]:
        return [twin.name for twin in put(client, "look").context["looked"].twins]

    a_draft(organiser)
    put(organiser, "library", title="Secret", confirmed="on")
    assert twins(author) == []
    assert len(twins(organiser)) == 2
    put(author, "library", title="Own", confirmed="on")
    assert twins(author) == ["Library: Own"]


def test_a_draft_has_an_address_of_its_own_until_its_number_is_given(organiser):
    """Rule 2.1: the number that a draft would get now is not reserved, so no URL of the desk contains it."""
    round_ = a_draft(organiser)
    Round.objects.update(announced_at=clock.now() + timedelta(days=1))
    assert organiser.get(f"/en/desk/rounds/{round_.number}/").url == f"/en/desk/drafts/{round_.pk}/"
    Round.objects.update(announced_at=None)
    draft, numbered = f"/en/desk/drafts/{round_.pk}/", f"/en/desk/rounds/{round_.number}/"
    for page in ("", "edit/?track=main", "preview/main/"):
        assert organiser.get(draft + page).status_code == 200, page
        assert organiser.get(numbered + page).url == draft + page
    assert numbered not in organiser.get(draft).text + organiser.get("/en/desk/").text
    assert organiser.get(f"{draft}message/").status_code == 404
    assert organiser.post(f"{draft}publish/").url == numbered
    for page in ("", "message/"):
        assert organiser.get(numbered + page).status_code == 200, page
        assert organiser.get(draft + page).url == numbered + page
    for address in ("drafts/99/", "rounds/99/", "drafts/9999999999/", "rounds/0/"):
        assert organiser.get(f"/en/desk/{address}").status_code == 404, address


def next_step(client):
    return client.get(DESK).context["first_round"].next


def test_one_step_after_the_other_leads_to_the_first_round(organiser):
    assert next_step(organiser).title == "Add a level"
    board = sokoban.Level.parse(cast.CORRIDOR)
    level = shelf.store_level(LibraryLevel(), board, "rR", at=clock.now(), by=None, is_confirmed=True)
    assert next_step(organiser).title == "Create a round from it"
    round_ = Round.objects.create(number=1, opens_at=cast.OPENS, closes_at=cast.CLOSES)
    assert next_step(organiser).title == "Create a round from it", "a draft without a level is not enough"
    shelf.use_level(level, round_, "main", at=clock.now(), by=None)
    last = next_step(organiser)
    assert (last.title, last.url) == ("Look at the preview and publish", reverse("desk-preview", args=[round_]))
    cast.a_round(2, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=7), announced_at=BEFORE)
    assert organiser.get(DESK).context["first_round"] is None
