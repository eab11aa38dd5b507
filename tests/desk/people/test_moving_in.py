from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from contest.celery import tasks
from contest.desk.people import moving_in
from contest.models import AuditEntry, Player, Rating, Round
from tests import cast
from tests.contest.archive.imports.test_csv_import import LEVELS, RESULTS, ROUNDS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("after_round")]
BRING = "/en/desk/rounds/bring/"
ARCHIVE = {"round.zip": (Path(__file__).parents[2] / "data/archives/format-1-final.zip").read_bytes()}
TABLES = {"Rounds.CSV": ROUNDS, "results.csv": RESULTS, "14.xsb": LEVELS, "15.sok": LEVELS}


def bring(client, contents: dict[str, str | bytes], to: str = BRING):
    files = [
        SimpleUploadedFile(name, given if isinstance(given, bytes) else given.encode())
        for name, given in contents.items()
    ]
    return client.post(to, {"chosen": files}, follow=True)


def decide(client, checked, do: str = "apply"):
    return client.post(f"{BRING}{checked.context['job'].pk}/", {"do": do}, follow=True)


def faults(page) -> list[str]:
    return list(page.context["job"].faults)


def test_tables_are_imported_after_a_dry_run(organiser):
    checked = bring(organiser, TABLES)
    assert all(message in checked.text for message in ("Round 14", "Round 15", "阿木"))
    assert not Round.objects.exists()
    assert not Player.objects.exists()
    assert "2 rounds are imported." in decide(organiser, checked).text
    assert sorted(Round.objects.values_list("number", flat=True)) == [14, 15]
    assert AuditEntry.objects.filter(act="import", actor__username="organiser").count() == 2
    assert set(Rating.objects.values_list("round__number", flat=True)) == {14, 15}
    assert "begun already" in decide(organiser, checked).text
    assert bring(organiser, TABLES).text.count("is here already, unchanged") == 2


def test_a_check_can_be_cancelled_and_a_running_import_be_ended(organiser, monkeypatch):
    assert "nothing was changed" in decide(organiser, bring(organiser, TABLES), do="stop").text
    checked = bring(organiser, TABLES)
    monkeypatch.setattr(moving_in, "_AT_ONCE", 0)
    decide(organiser, checked)
    assert "The rounds that are imported remain." in decide(organiser, checked, do="stop").text
    tasks.import_rounds()
    assert "Ended after 0 of 2 rounds" in organiser.get(f"{BRING}{checked.context['job'].pk}/").text
    assert not Round.objects.exists()


def test_a_preview_shows_the_result_of_the_import(organiser):
    """A player from an earlier file is known, and a copy of a file changes nothing."""
    contents = TABLES | ARCHIVE | {"rounds.zip": ARCHIVE["round.zip"]}
    checked = bring(organiser, contents)
    brings = [(len(row["new_players"]), len(row["known_players"])) for row in checked.context["job"].rounds]
    assert brings == [(6, 0), (3, 1), (0, 1), (0, 0)]
    assert "4 rounds are imported." in decide(organiser, checked).text
    assert (Round.objects.count(), Player.objects.count()) == (3, 9)


def test_a_level_in_play_is_not_imported_with_solutions(organiser):
    """Rule 7.4: all imported data is public at once."""
    cast.a_round(20, opens_at=cast.DURING, closes_at=cast.AFTER + timedelta(days=1))
    checked = bring(organiser, TABLES)
    (fault,) = faults(checked)
    assert fault.startswith("rounds.csv: the level main is used in another round now")
    decide(organiser, checked)
    assert not Round.objects.filter(number=14).exists()


def test_faults_of_all_files_are_listed_in_the_users_language_and_nothing_is_imported(organiser):
    tables = {**TABLES, "results.csv": RESULTS.replace("main,2,1", "main,two,1", 1), "bad.zip": b"PK nothing"}
    checked = bring(organiser, tables, to=BRING.replace("/en/", "/zh-hans/"))
    assert faults(checked) == [
        "bad.zip：存档未通过验证：the file: is no ZIP file, or not whole",
        "results.csv 第 2 行 moves：'two' 不是 1 到 2,000,000 之间的整数。",
    ]
    with_a_bad_file = bring(organiser, TABLES | {"bad.zip": b"PK nothing"})
    assert "Import them" not in with_a_bad_file.text
    decide(organiser, with_a_bad_file)
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ({}, "Choose archives of rounds"),
        ({f"{number}.zip": b"" for number in range(91)}, "limit is 90"),
        ({"a.zip": b"", "A.ZIP": b""}, "Two files have the name a.zip."),
        ({"a.zip": b"", "第" * 67: b""}, "cannot be used"),  # 201 bytes: a file system takes up to 255
        (TABLES | {"guide.json": b"["}, "The name of the file"),  # which has the choices of a guided import
    ],
)
def test_an_invalid_selection_is_refused_with_a_message(organiser, contents, message):
    answer = bring(organiser, contents)
    assert (answer.status_code, message in answer.text) == (422, True)


def test_a_table_reads_only_uploaded_files(organiser):
    """Rule 7.4."""
    rounds = ROUNDS.replace("14.xsb", "/etc/passwd")
    assert "is not a file beside rounds.csv" in bring(organiser, {**TABLES, "Rounds.CSV": rounds}).text
