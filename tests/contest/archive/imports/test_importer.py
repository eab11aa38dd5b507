import json
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from contest import models, results, rounds, visibility
from contest.archive import format as archived
from contest.archive import report, verify
from contest.archive.imports import importer
from contest.archive.imports.incoming import ImportedRound, NotImported, read_archive
from contest.infra import clock
from contest.judging import consistency, judge, rejudge
from contest.players import acts
from contest.results import rulings
from contest.rules.phases import Phase
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive import test_sealed
from tests.contest.archive.conftest import differences, pack
from tests.contest.archive.forger import REHASHED, Forgery
from tests.contest.archive.test_writer import LATER, packed, play, unpacked, void, written

pytestmark = pytest.mark.django_db(transaction=True)
# The time of the import.
NOW = LATER + timedelta(days=100)


def leave() -> dict[str, bytes]:
    """Return the files of the only round at LATER, and empty the database."""
    files = written()
    call_command("flush", interactive=False, verbosity=0)
    return files


def import_files(tmp_path, files: dict[str, bytes]) -> ImportedRound:
    with clock.set_to(NOW):
        return importer.store(read_archive(pack(tmp_path, files)))


def same_tables(files: dict[str, bytes], tmp_path) -> bool:
    again = written(NOW)
    assert differences(tmp_path, again) == []
    return all(again[name] == files[name] for name in (archived.BOARDS, archived.RESULTS, archived.PLAYERS))


@pytest.fixture
def archive(archive_files, tmp_path):
    call_command("flush", interactive=False, verbosity=0)
    with clock.set_to(NOW):
        yield pack(tmp_path, archive_files)


def test_an_archive_imported_into_an_empty_site_gives_the_same_boards_and_results(archive, archive_files, tmp_path):
    """Rules 3.3, 6.12, 22.1, 24.1: submissions keep their times, are marked imported and judged; the round is rated."""
    assert importer.store(read_archive(archive)).submissions == 9
    assert same_tables(archive_files, tmp_path)
    archived_times = [json.loads(line)["received_at"] for line in archive_files["submissions.jsonl"].splitlines()]
    rows = list(models.Submission.objects.order_by("original_number"))
    assert [row.received_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ") for row in rows] == archived_times
    assert {(row.is_imported, row.door) for row in rows} == {(True, models.Door.IMPORT)}
    assert set(models.Player.objects.values_list("is_imported", flat=True)) == {True}
    entry = models.AuditEntry.objects.get(act="import")
    assert (entry.target, entry.after["submissions"]) == ("round 1", 9)
    assert models.Rating.objects.filter(round__number=1).exists()
    assert models.Verification.objects.filter(engine_version=judge.ENGINE_VERSION).count() == 9
    assert not any(found for _row, found in consistency.verdicts())
    assert not any(list(consistency.board(level)) for level in models.Level.objects.all())
    assert models.Disqualification.objects.count() == 1


def test_an_old_result_of_a_known_nickname_goes_to_its_player(archive):
    """Rules 4.5, 24.1."""
    known = cast.players.create("ADA", country="", email="", at=NOW)[0]
    assert "Ada" in importer.store(read_archive(archive)).known_players
    known.refresh_from_db()
    assert models.Submission.objects.of(known).count() == 3
    assert not known.is_imported


def test_the_name_of_an_erased_player_is_not_imported_while_it_rests(archive, archive_files):
    """Rule 15.6: but results of a player who is known by the number go to the erased player."""
    known = cast.players.create("ADA", country="", email="", at=NOW)[0]
    acts.erase(known, None)
    with pytest.raises(NotImported, match=r"'Ada' cannot be used\. The player with this nickname deleted it"):
        importer.store(read_archive(archive))
    rows = map(json.loads, archive_files[archived.PLAYERS].splitlines())
    number = next(row["number"] for row in rows if row["name"] == "Ada")
    models.Player.objects.filter(pk=known.pk).update(archive_number=number)
    importer.store(read_archive(archive))
    assert models.Submission.objects.of(known).count() == 3
    assert not models.Player.objects.filter(nickname="Ada").exists()


@pytest.mark.usefixtures("archive")
def test_a_player_disqualified_under_two_names_is_disqualified_once(archive_files, tmp_path):
    """Two names of an archive may be one player here."""
    forgery = Forgery(archive_files)
    forgery.about["disqualified"] *= 2
    import_files(tmp_path, forgery.files(REHASHED))
    assert models.Disqualification.objects.count() == 1


def test_conflicts_are_reported_before_anything_is_written(archive):
    """Rules 2.1, 2.6."""
    cast.a_round(1, opens_at=cast.CLOSES + timedelta(days=5), closes_at=cast.CLOSES + timedelta(days=6))
    cast.a_round(7, opens_at=cast.OPENS + timedelta(days=5), closes_at=cast.OPENS + timedelta(days=6))
    with pytest.raises(NotImported) as caught:
        importer.store(read_archive(archive))
    assert [fault.partition(": ")[2] for fault in caught.value.faults] == [
        "round 1 already exists.",
        "round 1 was open while round 7 was.",
    ]
    assert not models.Submission.objects.exists()


def test_an_archive_that_does_not_verify_is_not_imported(archive, archive_files, tmp_path):
    forged = archive_files["submissions.jsonl"].replace(b'"moves":4', b'"moves":3')
    with pytest.raises(NotImported, match="is said to have 3 moves"):
        import_files(tmp_path, archive_files | {"submissions.jsonl": forged})


def test_the_command_has_a_dry_run_before_the_import(archive, tmp_path, capsys):
    """Rule 24.1: complete files are imported, and the command names the others."""
    call_command("import_rounds", str(archive), "--dry-run")
    assert not models.Round.objects.exists()
    out = capsys.readouterr().out
    assert "Round 1: 9 submissions; new players: " in out
    assert "This was a rehearsal" in out
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    with pytest.raises(CommandError):
        call_command("import_rounds", str(tmp_path / "broken.zip"), str(archive))
    assert models.Round.objects.get().number == 1
    assert "broken.zip: nothing of it was imported." in capsys.readouterr().err
    call_command("import_rounds", str(archive))
    assert "Round 1: is here already, unchanged." in capsys.readouterr().out


def test_a_lucky_player_retained_by_a_revision_stays_lucky(tmp_path):
    """Rules 14.5, 24.1."""
    play()
    round_ = models.Round.objects.get()
    results.finalise(round_, at=LATER, by=None)
    rulings.void(models.Submission.objects.get(lurd="rlrR"), Reason(en="Late ruling."), at=LATER, by=None)
    results.revise(round_, Reason(en="Late ruling."), at=LATER, by=None)
    files = leave()
    import_files(tmp_path, files)
    assert same_tables(files, tmp_path)
    document = json.loads(files["results.json"])
    assert (document["revision"], document["draw"]["kept_from"]) == (2, 1)


def test_erased_players_are_imported_as_erased_and_a_closed_round_can_be_finalised(tmp_path):
    """Rules 14.2, 15.6, 24.1."""
    play()
    for nickname in ("Ada", "=Bo"):
        acts.erase(models.Player.objects.get(nickname=nickname), None)
    files = leave()
    import_files(tmp_path, files)
    assert models.Player.objects.exclude(erased_at=None).count() == 2
    assert same_tables(files, tmp_path)
    results.finalise(models.Round.objects.get(), at=NOW, by=None)


def test_an_archive_between_a_ruling_and_its_revision_is_not_imported(tmp_path):
    """Rules 14.4, 24.1."""
    play()
    results.finalise(models.Round.objects.get(), at=LATER, by=None)
    void("=Bo", LATER)
    with pytest.raises(NotImported, match="Publish a revision"):
        import_files(tmp_path, leave())


def test_results_without_moves_are_accepted_unreplayed(tmp_path):
    play(solutions_public="never")
    results.finalise(models.Round.objects.get(), at=LATER, by=None)
    files = leave()
    assert import_files(tmp_path, files).not_replayed == 9
    assert same_tables(files, tmp_path)
    assert set(models.Submission.objects.values_list("verdict", flat=True)) == {
        models.Verdict.ACCEPTED,
        models.Verdict.SPECTATOR,
    }
    assert {row.outcome["why"] for row in models.Verification.objects.all()} == {"not_replayed"}
    assert list(consistency.verdicts()) == []
    assert list(rejudge.compute(rejudge.start("again"), models.Submission.objects.all())) == []


def test_a_cancelled_round_is_imported_as_cancelled(tmp_path, monkeypatch):
    """Rule 7.10: no organiser can give it champions. Archives by older versions contain results: they are refused."""
    play()
    rounds.cancel(models.Round.objects.get(), Reason(en="A flaw.", zh="有错"), at=LATER, by=None)
    files = leave()
    import_files(tmp_path, files)
    round_ = models.Round.objects.get()
    assert (round_.phase(NOW), round_.cancelled_at) == (Phase.CANCELLED, LATER)
    assert (round_.cancel_reason_en, round_.cancel_reason_zh) == ("A flaw.", "有错")
    assert same_tables(files, tmp_path)
    with pytest.raises(ValidationError, match="Only a closed round"):
        results.finalise(round_, at=NOW, by=None)
    about = json.loads(files["round.json"]) | {"results": "provisional"}
    about.pop("cancelled")
    monkeypatch.setattr(verify, "verify", lambda path, *, is_large: report.Report())
    with pytest.raises(NotImported, match="was cancelled"):
        import_files(tmp_path, files | {"round.json": json.dumps(about).encode()})


def test_only_the_opened_answers_of_a_round_with_sealed_answers_are_imported(tmp_path):
    """Rules 3.3, 5.13: answers sealed on the other site have been opened there, or are void."""
    test_sealed.play()
    files = written(test_sealed.LATER)
    call_command("flush", interactive=False, verbosity=0)
    assert import_files(tmp_path, files).submissions == 2
    with clock.set_to(NOW):
        round_, again = models.Round.objects.get(), unpacked(packed())
        assert (round_.phase(NOW), round_.takes_sealed) == (Phase.FINAL, False)
        assert not visibility.sealing_rounds(Viewer(), NOW).exists()
    assert all(again[name] == files[name] for name in (archived.BOARDS, archived.RESULTS))
