import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from contest import results, rounds, submissions, visibility
from contest.archive import format as archived
from contest.archive import importer, report, verify
from contest.archive.incoming import ImportedRound, NotImported, read_archive
from contest.infra import clock
from contest.judging import consistency, judge, rejudge
from contest.models import (
    AuditEntry,
    Disqualification,
    Door,
    Level,
    Player,
    Rating,
    Round,
    Submission,
    Verdict,
    Verification,
)
from contest.players import acts
from contest.results import rulings
from contest.rules.phases import Phase
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive import test_sealed
from tests.contest.archive.conftest import pack
from tests.contest.archive.test_writer import LATER, packed, play, unpacked, void

pytestmark = pytest.mark.django_db(transaction=True)


def forget_everything() -> None:
    call_command("flush", interactive=False, verbosity=0)


def archive_file(tmp_path, *, is_final: bool = True, **settings):
    """A file from another site, and what is in it."""
    play(**settings)
    with clock.set_to(LATER):
        if is_final:
            results.finalise(visibility.archived_rounds(Viewer(), LATER).get(), at=LATER, by=None)
        files = unpacked(packed())
    return pack(tmp_path, files), files


@pytest.fixture
def archive(tmp_path):
    path, files = archive_file(tmp_path)
    forget_everything()
    with clock.set_to(LATER + timedelta(days=100)):
        yield path, files


def bring_in(path) -> ImportedRound:
    return importer.store(read_archive(path))


def same_tables(files: dict[str, bytes], tmp_path) -> bool:
    again = unpacked(packed())
    (tmp_path / "again").mkdir()
    assert verify.verify(pack(tmp_path / "again", again)).differences == []
    return all(again[name] == files[name] for name in (archived.BOARDS, archived.RESULTS, archived.PLAYERS))


def test_an_archive_brought_into_an_empty_site_gives_the_same_boards_and_results(archive, tmp_path):
    """Rules 3.3, 24.1."""
    path, files = archive
    assert bring_in(path).submissions == 9
    assert same_tables(files, tmp_path)


def test_a_round_that_is_not_final_comes_in_as_closed_and_can_be_finalised_here(tmp_path):
    """Rules 14.2, 24.1."""
    path, files = archive_file(tmp_path, is_final=False)
    forget_everything()
    with clock.set_to(LATER):
        bring_in(path)
        assert same_tables(files, tmp_path)
        results.finalise(Round.objects.get(), at=LATER, by=None)


def test_a_lucky_player_whom_a_revision_kept_stays_lucky(tmp_path):
    """Rules 14.5, 24.1."""
    play()
    with clock.set_to(LATER):
        round_ = Round.objects.get()
        results.finalise(round_, at=LATER, by=None)
        rulings.void(Submission.objects.get(lurd="rlrR"), Reason(en="Late ruling."), at=LATER, by=None)
        results.revise(round_, Reason(en="Late ruling."), at=LATER, by=None)
        files = unpacked(packed())
    path = pack(tmp_path, files)
    forget_everything()
    with clock.set_to(LATER):
        bring_in(path)
        assert same_tables(files, tmp_path)
        document = json.loads(files["results.json"])
        assert (document["revision"], document["draw"]["kept_from"]) == (2, 1)


def test_what_was_sent_keeps_its_time_and_is_marked_imported_and_the_act_is_audited(archive):
    """Rule 3.3."""
    path, files = archive
    bring_in(path)
    told = [json.loads(line)["received_at"] for line in files["submissions.jsonl"].splitlines()]
    rows = list(Submission.objects.order_by("original_number"))
    assert [row.received_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ") for row in rows] == told
    assert {(row.is_imported, row.door) for row in rows} == {(True, Door.IMPORT)}
    entry = AuditEntry.objects.get(act="import")
    assert (entry.target, entry.after["submissions"]) == ("round 1", 9)


def test_imported_moves_were_judged_by_the_judge(archive):
    """Rules 3.3, 6.12."""
    bring_in(archive[0])
    assert Verification.objects.filter(engine_version=judge.ENGINE_VERSION).count() == 9
    assert not any(found for _row, found in consistency.verdicts())
    assert not any(list(consistency.board(level)) for level in Level.objects.all())
    assert Disqualification.objects.count() == 1


def test_nobody_enters_under_an_imported_name_without_proof(archive):
    """Rules 3.3, 4.11."""
    bring_in(archive[0])
    assert set(Player.objects.values_list("is_imported", flat=True)) == {True}
    now = clock.now()
    cast.a_round(2, opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    with pytest.raises(submissions.Refused) as refused:
        cast.send("Ada", "rR")
    assert refused.value.code == "name_taken"


def test_the_same_archive_again_changes_nothing(archive):
    """Rule 24.1."""
    path, _files = archive
    bring_in(path)
    before = (Submission.objects.count(), Player.objects.count(), AuditEntry.objects.count())
    assert not bring_in(path).is_new
    assert (Submission.objects.count(), Player.objects.count(), AuditEntry.objects.count()) == before


def test_an_old_result_of_a_known_nickname_goes_to_its_player(archive):
    """Rules 4.5, 24.1."""
    known = cast.players.create("ADA", country="", email="", at=clock.now())[0]
    done = bring_in(archive[0])
    assert "Ada" in done.known_players
    known.refresh_from_db()
    assert Submission.objects.of(known).count() == 3
    assert not known.is_imported


def test_erased_players_come_in_as_erased(tmp_path):
    """Rules 15.6, 24.1."""
    play()
    with clock.set_to(LATER):
        for nickname in ("Ada", "=Bo"):
            acts.erase(Player.objects.get(nickname=nickname), None)
        files = unpacked(packed())
        path = pack(tmp_path, files)
        forget_everything()
        bring_in(path)
        assert Player.objects.exclude(erased_at=None).count() == 2
        assert same_tables(files, tmp_path)


def test_conflicts_are_told_before_anything_is_written(archive):
    """Rules 2.1, 2.6."""
    path, _files = archive
    cast.a_round(1, opens_at=cast.CLOSES + timedelta(days=5), closes_at=cast.CLOSES + timedelta(days=6))
    cast.a_round(7, opens_at=cast.OPENS + timedelta(days=5), closes_at=cast.OPENS + timedelta(days=6))
    with pytest.raises(NotImported) as caught:
        bring_in(path)
    assert [fault.partition(": ")[2] for fault in caught.value.faults] == [
        "there is a round 1 already.",
        "round 1 was open while round 7 was.",
    ]
    assert not Submission.objects.exists()


def test_an_archive_that_does_not_verify_is_not_brought_in(archive, tmp_path):
    """Rule 24.1."""
    _path, files = archive
    forged = pack(
        tmp_path, {**files, "submissions.jsonl": files["submissions.jsonl"].replace(b'"moves":4', b'"moves":3')}
    )
    with pytest.raises(NotImported, match="is said to have 3 moves"):
        bring_in(forged)


def test_an_archive_between_a_ruling_and_its_revision_is_not_brought_in(tmp_path):
    """Rules 14.4, 24.1."""
    _path, _files = archive_file(tmp_path)
    with clock.set_to(LATER):
        void("=Bo", LATER)
        path = pack(tmp_path, unpacked(packed()))
    forget_everything()
    with clock.set_to(LATER), pytest.raises(NotImported, match="Publish a revision"):
        bring_in(path)


def test_a_verdict_that_the_judge_does_not_share_stops_the_whole_round(archive, monkeypatch):
    """Rule 3.3."""
    incoming = read_archive(archive[0])
    incoming.rows[0] = replace(incoming.rows[0], lurd="l")
    with pytest.raises(NotImported, match="the judge says illegal"):
        importer.store(incoming)
    assert not Round.objects.exists()


def test_results_without_moves_are_taken_at_their_word_and_never_replayed(tmp_path):
    """Rule 3.3."""
    path, files = archive_file(tmp_path, solutions_public="never")
    forget_everything()
    with clock.set_to(LATER):
        assert bring_in(path).not_replayed == 9
        assert same_tables(files, tmp_path)
        assert set(Submission.objects.values_list("verdict", flat=True)) == {Verdict.ACCEPTED, Verdict.SPECTATOR}
        assert {row.outcome["why"] for row in Verification.objects.all()} == {"not_replayed"}
        assert list(consistency.verdicts()) == []
        assert list(rejudge.compute(rejudge.start("again"), Submission.objects.all())) == []


def test_the_command_rehearses_and_then_does_it(archive, capsys):
    """Rule 24.1."""
    path = str(archive[0])
    call_command("import_rounds", path, "--dry-run")
    assert not Round.objects.exists()
    out = capsys.readouterr().out
    assert "Round 1: 9 submissions; new players: " in out
    assert "This was a rehearsal" in out
    call_command("import_rounds", path)
    assert Round.objects.get().number == 1
    call_command("import_rounds", path)
    assert "Round 1: is here already, unchanged." in capsys.readouterr().out


def test_the_command_brings_in_the_whole_files_and_says_which_are_not(archive, tmp_path, capsys):
    """Rule 24.1."""
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    with pytest.raises(CommandError):
        call_command("import_rounds", str(tmp_path / "broken.zip"), str(archive[0]))
    assert Round.objects.get().number == 1
    assert "broken.zip: nothing of it was brought in." in capsys.readouterr().err


def test_imported_rounds_count_for_the_ratings_from_the_first_on(archive):
    """Rule 22.1."""
    bring_in(archive[0])
    assert Rating.objects.filter(round__number=1).exists()


@pytest.fixture
def cancelled():
    """The files of a round that was cancelled after its close, on a site that forgets it."""
    play()
    with clock.set_to(LATER):
        rounds.cancel(Round.objects.get(), Reason(en="A flaw.", zh="有错"), at=LATER, by=None)
        files = unpacked(packed())
    forget_everything()
    with clock.set_to(LATER + timedelta(days=1)):
        yield files


def test_a_cancelled_round_stays_cancelled_wherever_it_is_brought_in(cancelled, tmp_path):
    """Rule 7.10: no organiser there can crown anybody."""
    bring_in(pack(tmp_path, cancelled))
    round_ = Round.objects.get()
    assert (round_.phase(clock.now()), round_.cancelled_at) == (Phase.CANCELLED, LATER)
    assert (round_.cancel_reason_en, round_.cancel_reason_zh) == ("A flaw.", "有错")
    assert same_tables(cancelled, tmp_path)
    with pytest.raises(ValidationError, match="Only a closed round"):
        results.finalise(round_, at=clock.now(), by=None)


def test_an_older_programs_archive_of_a_cancelled_round_is_refused(cancelled, tmp_path, monkeypatch):
    """It gave the round results, and only a note said that it was cancelled."""
    about = json.loads(cancelled["round.json"])
    about.pop("cancelled")
    path = pack(tmp_path, cancelled | {"round.json": json.dumps(about | {"results": "provisional"}).encode()})
    monkeypatch.setattr(verify, "verify", lambda path, *, is_large: report.Report())
    with pytest.raises(NotImported, match="was cancelled"):
        read_archive(path)


def test_of_a_round_with_sealed_answers_comes_in_what_was_opened(tmp_path):
    """Rules 3.3, 5.13: what was sealed elsewhere was opened there, or is void."""
    test_sealed.play()
    with clock.set_to(test_sealed.LATER):
        files = unpacked(packed())
    path = pack(tmp_path, files)
    forget_everything()
    with clock.set_to(LATER + timedelta(days=100)):
        assert bring_in(path).submissions == 2
        round_ = Round.objects.get()
        assert (round_.phase(clock.now()), round_.takes_sealed) == (Phase.FINAL, False)
        again = unpacked(packed())
    assert not visibility.sealing_rounds(Viewer(), clock.now()).exists()
    assert [again[name] for name in (archived.BOARDS, archived.RESULTS)] == [
        files[name] for name in (archived.BOARDS, archived.RESULTS)
    ]
