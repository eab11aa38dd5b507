import pytest
from django.core.management import call_command

from contest.archive import verify
from contest.archive.imports import csv_import, importer, incoming
from contest.archive.imports.incoming import NotImported
from contest.infra import clock
from contest.models import Level, Placing, Player, Round, Submission, Verification
from contest.rules.phases import Phase
from tests import cast
from tests.contest.archive.conftest import pack
from tests.contest.archive.test_writer import packed, unpacked

pytestmark = pytest.mark.django_db

ROUNDS = """number,title_zh,title_en,opens_at,closes_at,levels
14,第十四期,Round fourteen,2010-05-01 20:00,2010-05-22 20:00,14.xsb
15,,,2010-06-01 20:00,2010-06-22T12:00:00Z,
"""
RESULTS = """round,nickname,country,slot,moves,pushes,time,lurd
14,=Ada,cn,main,2,1,2010-05-02 21:00,rR
14,阿木,,main,4,1,2010-05-02 20:00,
14,Bo,de,main,2,1,2010-05-02 20:00,RRll
14,ADA2,gb,extra,5,2,2010-05-03 20:00,
15,Bo,de,main,300,20,2010-06-03 20:00,
"""
LEVELS = "Corridor\n\n######\n#@ $.#\n######\nAuthor: Somebody\n\nPair\n\n########\n#@$.   #\n# $.   #\n########\n"
TABLES = {"rounds.csv": ROUNDS, "results.csv": RESULTS, "14.xsb": LEVELS, "15.sok": LEVELS}


@pytest.fixture
def folder(tmp_path):
    for name, content in TABLES.items():
        (tmp_path / name).write_text(content, encoding="utf-8-sig" if name == "results.csv" else "utf-8")
    with clock.set_to(cast.AFTER):
        yield tmp_path


def faults(folder) -> list[str]:
    with pytest.raises(NotImported) as caught:
        csv_import.read(folder / "rounds.csv")
    assert not Round.objects.exists()
    return list(caught.value.faults)


def test_rounds_are_imported_from_tables_with_levels_and_results(folder, capsys):
    """Rules 3.3, 3.5, 24.1: a time without a zone is Beijing time; a result without moves is never replayed."""
    call_command("import_rounds", str(folder / "rounds.csv"))
    assert [round_.phase(cast.AFTER) for round_ in Round.objects.all()] == [Phase.FINAL] * 2
    assert set(Level.objects.filter(round__number=14).values_list("slot", "title", "solution")) == {
        ("main", "Corridor", "rR"),
        ("extra", "Pair", ""),
    }
    first = Placing.objects.get(round__number=14, is_mmc=True)
    assert (first.player.nickname, first.player.is_imported, first.player.country) == ("Bo", True, "de")
    assert not Placing.objects.filter(is_lucky=True).exists()
    assert Round.objects.get(number=14).opens_at.isoformat() == "2010-05-01T12:00:00+00:00"
    sent = Submission.objects.get(player=first.player, round__number=14)
    assert sent.received_at.isoformat() == "2010-05-02T12:00:00+00:00"
    marked = Verification.objects.filter(outcome__why="not_replayed", submission__round__number=14)
    assert set(marked.values_list("submission__player__nickname", flat=True)) == {"阿木", "ADA2"}
    call_command("import_rounds", str(folder / "rounds.csv"))
    assert "Round 15: is here already, unchanged." in capsys.readouterr().out
    assert Player.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_a_round_imported_from_tables_exports_an_archive_that_verifies_and_imports_again(folder, tmp_path):
    call_command("import_rounds", str(folder / "rounds.csv"))
    files = unpacked(packed(14))
    path = pack(tmp_path, files)
    report = verify.verify(path)
    assert (report.differences, report.replayed, report.never_known) == ([], 2, 2)
    call_command("flush", interactive=False, verbosity=0)
    importer.store(incoming.read_archive(path))
    again = unpacked(packed(14))
    assert (again["boards.json"], again["results.json"]) == (files["boards.json"], files["results.json"])


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("14,=Ada", "13,=Ada", "results.csv, row 2, round: '13' is not a round of rounds.csv (14, 15)."),
        ("main,4,1", "main,4,9", "results.csv, row 3, pushes: there are more pushes than moves."),
        ("main,2,1", "main,3,1", "results.csv, row 2, moves: the replay has 2 moves, 1 push."),
        ("main", "extra2", "results.csv, row 2, slot: 'extra2' is not a level of the round (main, extra)."),
        ("nickname", "alias", "results.csv: the column nickname is missing."),
        ("14,第", "0,第", "rounds.csv, row 2, number: '0' is not a whole number from 1 to 2,000,000."),
        ("2010-05-22 20:00", "2010-04-22 20:00", "rounds.csv, row 2, closes_at: is not after opens_at."),
        (
            "2010-05-22 20:00",
            "9999-12-31T23:59:59-12:00",
            "rounds.csv, row 2, closes_at: '9999-12-31T23:59:59-12:00' is not a time such as 2010-05-01 20:00.",
        ),
        ("14.xsb", "../14.xsb", "rounds.csv, round 14, levels: '../14.xsb' is not a file beside rounds.csv."),
        ("14.xsb", "14.sok", "14.sok: this file is missing."),
        (LEVELS, "no level\n", "14.xsb: contains 0 levels; a round has 1 to 4."),
        (LEVELS, "\n\n".join([LEVELS] * 3), "15.sok: contains 6 levels; a round has 1 to 4."),
    ],
)
def test_a_fault_is_reported_with_row_and_column(before, after, fault, folder):
    for name, text in TABLES.items():
        (folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")
    assert faults(folder).count(fault) == 1


@pytest.mark.parametrize(
    ("name", "before", "line"),
    [("rounds.csv", "Round f", 2), ("results.csv", "阿木", 3), ("14.xsb", "Corridor", 3), ("14.xsb", "Somebody", 3)],
)
def test_a_nul_is_reported_with_its_line(name, before, line, folder):
    """PostgreSQL cannot store it."""
    text = (folder / name).read_text()
    (folder / name).write_text(text.replace(before, f"\0{before}", 1))
    why = "The text contains an invalid character: half of a surrogate pair, or NUL."
    assert faults(folder) == [f"{name}, line {line}: {why}"]


def test_a_round_that_has_not_closed_is_not_imported(folder):
    (folder / "rounds.csv").write_text(ROUNDS.replace("2010-05-22", "2030-05-22"), encoding="utf-8")
    with pytest.raises(NotImported, match="only closed rounds can be imported"):
        importer.store(csv_import.read(folder / "rounds.csv")[0])
    assert not Round.objects.exists()
