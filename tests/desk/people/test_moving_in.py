"""Import of old rounds on the desk: a preview with a report, then the import of the same files."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from contest.models import AuditEntry, Player, Rating, Round
from tests import cast
from tests.contest.archive.test_csv_import import LEVELS, RESULTS, ROUNDS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("after_round")]
BRING = "/en/desk/rounds/bring/"
ARCHIVE = {"round.zip": (Path(__file__).parents[2] / "data/archives/format-1-final.zip").read_bytes()}
TABLES = {"Rounds.CSV": ROUNDS, "results.csv": RESULTS, "14.xsb": LEVELS, "15.sok": LEVELS}


def upload(client, do: str, contents: dict[str, str | bytes], seal: str = "", to: str = BRING):
    files = [
        SimpleUploadedFile(name, given if isinstance(given, bytes) else given.encode())
        for name, given in contents.items()
    ]
    return client.post(to, {"chosen": files, "do": do, "seal": seal})


def test_tables_are_imported_after_a_dry_run(organiser):
    looked = upload(organiser, "look", TABLES)
    assert all(message in looked.text for message in ("Round 14", "Round 15", "阿木"))
    assert not Round.objects.exists()
    assert not Player.objects.exists()
    assert upload(organiser, "apply", TABLES, looked.context["seal"]).url == "/en/desk/rounds/"
    assert sorted(Round.objects.values_list("number", flat=True)) == [14, 15]
    assert AuditEntry.objects.filter(act="import", actor__username="organiser").count() == 2
    assert set(Rating.objects.values_list("round__number", flat=True)) == {14, 15}
    assert upload(organiser, "look", TABLES).text.count("is here already, unchanged") == 2


@pytest.mark.django_db(transaction=True)
def test_other_requests_write_during_a_dry_run(organiser):
    """On SQLite a transaction locks the whole database, and all submissions would wait for it."""
    held = []

    def note(execute, sql, params, many, context):
        if context["connection"].in_atomic_block or not sql.startswith("SELECT"):
            held.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        looked = upload(organiser, "look", TABLES | ARCHIVE)
    assert (len(looked.context["report"].done), held) == (3, [])


def test_a_preview_shows_the_result_of_the_import(organiser):
    """A player from an earlier file is known, and a copy of a file changes nothing."""
    contents = TABLES | ARCHIVE | {"rounds.zip": ARCHIVE["round.zip"]}
    looked = upload(organiser, "look", contents).context
    brings = [(len(imported.new_players), len(imported.known_players)) for imported in looked["report"].done]
    assert brings == [(6, 0), (3, 1), (0, 1), (0, 0)]
    assert upload(organiser, "apply", contents, looked["seal"]).status_code == 302
    assert (Round.objects.count(), Player.objects.count()) == (3, 9)


def test_a_level_in_play_is_not_imported_with_solutions(organiser):
    """Rule 7.4: all imported data is public at once."""
    cast.a_round(20, opens_at=cast.DURING, closes_at=cast.AFTER + timedelta(days=1))
    (fault,) = upload(organiser, "look", TABLES).context["report"].faults
    assert fault.startswith("rounds.csv: the level main is used in another round now")
    assert upload(organiser, "apply", TABLES).status_code == 422
    assert not Round.objects.filter(number=14).exists()


def test_files_other_than_the_previewed_ones_are_refused(organiser):
    seal = upload(organiser, "look", TABLES).context["seal"]
    other = upload(organiser, "apply", {**TABLES, "15.sok": LEVELS + "\n"}, seal)
    assert (other.status_code, "not the files of the preview" in other.text) == (422, True)
    assert not Round.objects.exists()


def test_faults_of_all_files_are_listed_in_the_users_language_and_nothing_is_imported(organiser):
    tables = {**TABLES, "results.csv": RESULTS.replace("main,2,1", "main,two,1", 1), "bad.zip": b"PK nothing"}
    answer = upload(organiser, "look", tables, to=BRING.replace("/en/", "/zh-hans/"))
    assert (answer.status_code, answer.context["seal"]) == (422, "")
    assert answer.context["report"].faults == [
        "bad.zip：存档未通过验证：the file: is no ZIP file, or not whole",
        "results.csv 第 2 行 moves：'two' 不是 1 到 2,000,000 之间的整数。",
    ]
    with_a_bad_file = TABLES | {"bad.zip": b"PK nothing"}
    seal = upload(organiser, "look", with_a_bad_file).context["seal"]
    assert upload(organiser, "apply", with_a_bad_file, seal).status_code == 422
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ({}, "Choose archives of rounds"),
        ({"results.csv": RESULTS}, "Choose archives of rounds"),
        ({f"{number}.zip": b"" for number in range(91)}, "limit is 90"),
        ({"a.zip": b"", "A.ZIP": b""}, "Two files have the name a.zip."),
    ],
)
def test_an_invalid_selection_is_refused_with_a_message(organiser, contents, message):
    answer = upload(organiser, "look", contents)
    assert (answer.status_code, message in answer.text) == (422, True)


def test_a_table_reads_only_uploaded_files(organiser):
    """Rule 7.4."""
    rounds = ROUNDS.replace("14.xsb", "/etc/passwd")
    assert "is not a file beside rounds.csv" in upload(organiser, "look", {**TABLES, "Rounds.CSV": rounds}).text
