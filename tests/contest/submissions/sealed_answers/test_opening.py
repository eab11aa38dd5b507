from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import judging, players, results, rounds, visibility
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Door, Metric, Player, Round, SealedAnswer, SealedState, Slot, Submission
from contest.players import acts
from contest.rankings import standings
from contest.rounds import lucky_number
from contest.rules import beacons
from contest.submissions import Refused
from contest.submissions.sealed_answers import SealedEntry, open_answer, seal
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive.test_sealed import chain
from tests.contest.submissions.sealed_answers.conftest import DAY, TICK, opened, refusal_of, sealed, text_of

pytestmark = pytest.mark.django_db
REASON = Reason(zh="原因", en="because")


def test_an_opened_answer_is_a_submission_received_when_it_was_sealed(ann):
    """Rules 5.6, 5.13, 6.4, 8.4: a player who sent the same result in the meantime is ranked behind it.

    One solution with two salts is two answers; moves after the solved state are cut.
    """
    _late, later = sealed(ann, "rRl", salt="1" * 32, at=cast.DURING + 2 * DAY)
    assert (opened(later).lurd, Submission.objects.get().cut) == ("rR", 1)
    answer, text = sealed(ann)
    with clock.set_to(cast.DURING + DAY):
        cast.send("Bo", "rR")
    submission = opened(text)
    assert (submission.verdict, submission.received_at, submission.player) == ("accepted", cast.DURING, ann)
    assert (submission.sha256, bytes(submission.text).decode()) == (answer.sha256, text)
    assert [row.player.nickname for row in standings.standings(submission.level, Metric.MOVES)] == ["Ann", "Bo"]
    answer.refresh_from_db()
    assert (answer.submission, answer.state(cast.CLOSES), answer.opened_at) == (submission, "opened", cast.CLOSES)


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (cast.DURING, "early"),
        (cast.CLOSES - TICK, "early"),
        (cast.CLOSES, None),
        (cast.CLOSES + DAY - TICK, None),
        (cast.CLOSES + DAY, "late"),
    ],
)
def test_an_answer_can_be_opened_within_a_day_after_the_close(ann, at, code):
    """Rules 5.13, 7.5: with any whitespace that editors and mail programs insert between its parts."""
    _answer, text = sealed(ann)
    if code:
        assert refusal_of(opened, text, at) == code
        assert not Submission.objects.exists()
    else:
        first = opened(text, at)
        assert first.verdict == "accepted"
        # Opening it again returns the first receipt, until the archive publishes the text (rule 7.5).
        again = (
            "\ufeff" + text.replace("\n", "\r\n") + "\r\n",
            text.replace("\n", " \n\n"),
            text[:-1] + "\n" + text[-1],
        )
        for changed in again:
            assert opened(changed, cast.CLOSES + DAY - TICK) == first
        assert bytes(first.text).decode() == text
        assert refusal_of(opened, text, cast.CLOSES + DAY) == "late"


def test_an_answer_opened_in_the_last_instant_is_accepted_however_long_its_replay_takes(round_, ann, monkeypatch):
    """Rules 3.3, 5.13, 14.2: its time is read before that, and no result becomes final for another minute."""
    answer, text = sealed(ann)
    dry_run, last, soon = judging.dry_run, cast.CLOSES + DAY - TICK, cast.CLOSES + DAY + timedelta(seconds=50)
    with clock.set_to(last), ExitStack() as later:

        def slow(submission, levels):
            later.enter_context(clock.set_to(soon))
            assert "Time was up less than a minute ago" in cast.refusal_of(results.finalise, round_, at=soon, by=None)
            return dry_run(submission, levels)

        monkeypatch.setattr(judging, "dry_run", slow)
        submission = open_answer(1, text, door=Door.API).submission
    answer.refresh_from_db()
    assert (answer.submission, answer.opened_at) == (submission, last)


def test_a_delayed_reveal_or_a_make_up_window_moves_the_day_of_opening(ann):
    """Rules 3.10, 5.13."""
    _early, before = sealed(ann, salt="1" * 32)
    Round.objects.update(reveal_waits_until=cast.CLOSES + DAY)
    assert refusal_of(opened, before, cast.CLOSES) == "early"
    assert opened(before, cast.CLOSES + 2 * DAY - TICK).verdict == "accepted"
    begins, ends = cast.CLOSES + timedelta(hours=1), cast.CLOSES + timedelta(hours=3)
    Round.objects.update(make_up_opens_at=begins, make_up_closes_at=ends)
    answer, text = sealed(ann, at=begins)
    assert refusal_of(opened, text, ends - TICK) == "early"
    assert opened(text, ends).received_at == answer.received_at


@pytest.mark.parametrize(
    ("moves", "counts", "code"),
    [("rR", (3, 1), "other_counts"), ("r", (2, 1), "not_solved"), ("llR", (2, 1), "not_solved")],
)
def test_an_answer_that_contradicts_its_claim_stays_sealed_and_becomes_void(ann, moves, counts, code):
    answer, text = sealed(ann, moves, counts)
    assert refusal_of(opened, text) == code
    assert SealedAnswer.objects.get(pk=answer.pk).state(cast.CLOSES + DAY) == SealedState.VOID
    assert not Submission.objects.exists()


def test_another_text_opens_nothing(ann):
    """Rule 5.13: one letter, salt, level, player or round differs."""
    _answer, text = sealed(ann)
    bo = players.create("Bo", country="", email="", at=cast.OPENS)[0]
    others = [
        text_of(ann, "rr"), text_of(ann, "rR", salt="1" * 32), text_of(ann, "rR", slot="extra"), text_of(bo, "rR"),
        text_of(ann, "rR", number=2),
    ]  # fmt: skip
    for foreign in others[3:]:  # an answer belongs to one name and one round
        with clock.set_to(cast.DURING):
            seal(SealedEntry(1, "main", 2, 1, foreign.sha256), ann, door=Door.API)
    assert [refusal_of(opened, str(other)) for other in others] == ["not_sealed"] * len(others)
    with pytest.raises(Refused, match="sealed for round 2"):
        opened(str(others[4]))
    assert refusal_of(opened, "rR") == "bad_sealed_text"
    assert opened(text).verdict == "accepted"


def test_a_merged_player_opens_an_answer_under_the_remaining_name(ann):
    """Rules 4.13, 5.12, 5.13, 15.6; undoing a merge returns it, and erasure leaves it."""
    answer, text = sealed(ann)
    bo = players.create("Bo", country="", email="", at=cast.OPENS)[0]
    cast.merge(ann, bo, None, reason="the same")
    submission = opened(text)
    assert (submission.player, submission.sent_as) == (bo, ann)
    cast.unmerge(Player.objects.get(pk=ann.pk), None, reason="not the same")
    answer.refresh_from_db()
    assert answer.player == ann
    assert Submission.objects.get().player == ann
    acts.erase(answer.player, None)
    assert "Ann" not in text
    assert visibility.sealed_answers(Viewer(), cast.DURING).get().player.nickname != "Ann"
    assert SealedAnswer.objects.get().sha256 == answer.sha256


@pytest.mark.parametrize("cancelled_at", [cast.DURING + DAY, cast.CLOSES + timedelta(hours=1)])
def test_a_cancelled_round_accepts_and_opens_no_answers(round_, ann, cancelled_at):
    """Rules 2.10, 5.13, 7.10: nor does a void level."""
    answer, text = sealed(ann)
    other, extra = sealed(ann, "rDldR", (5, 2), slot="extra")
    with clock.set_to(cast.DURING):
        rounds.void_slot(round_.levels.get(slot=Slot.EXTRA), REASON, at=cast.DURING, by=None)
    assert refusal_of(sealed, ann, salt="1" * 32, slot="extra", counts=(5, 2)) == "void_level"
    assert refusal_of(opened, extra) == "void_level"
    assert SealedAnswer.objects.select_related("level__round").get(pk=other.pk).state(cast.CLOSES) == SealedState.VOID
    with clock.set_to(cancelled_at):
        rounds.cancel(round_, REASON, at=cancelled_at, by=None)
    assert refusal_of(sealed, ann, salt="1" * 32, at=cancelled_at) == "late"
    assert refusal_of(opened, text, cast.CLOSES + timedelta(hours=2)) == "late"
    assert SealedAnswer.objects.get(pk=answer.pk).state(cast.CLOSES + timedelta(hours=2)) == SealedState.VOID
    assert visibility.sealed_answers(Viewer(), cast.CLOSES).exists()


def test_no_result_is_final_before_the_day_and_a_minute_are_over(round_, ann):
    settles = results.publish.SETTLES
    with pytest.raises(ValidationError, match="Sealed answers are opened until"):
        results.finalise(round_, at=cast.CLOSES + DAY - TICK, by=None)
    for late in (TICK * 0, settles - TICK):
        with pytest.raises(ValidationError, match="Time was up less than a minute ago"):
            results.finalise(round_, at=cast.CLOSES + DAY + late, by=None)
    results.finalise(round_, at=cast.CLOSES + DAY + settles, by=None)
    assert Round.objects.get().finalised_at == cast.CLOSES + DAY + settles


def test_no_answer_can_be_opened_once_the_lucky_number_is_public(round_, ann):
    """Rules 11.5, 11.14: otherwise a player could influence the draw by opening answers selectively."""
    sealed(ann)
    last = cast.CLOSES + DAY - TICK
    assert visibility.is_revealed(round_, last)
    assert visibility.lucky_number(round_, last) is None
    assert results.current(round_, last)["draw"] is None
    assert visibility.lucky_number(round_, cast.CLOSES + DAY) == round_.lucky_number
    assert results.current(round_, cast.CLOSES + DAY)["draw"]["number"] == round_.lucky_number.number
    round_.settings["lucky_beacon"] = "drand quicknet"
    beacon = lucky_number.beacon_of(round_, round_.lucky_number)
    assert beacon.round == beacons.BEACONS[beacon.name].round_at(cast.CLOSES + DAY)


def test_there_is_no_archive_while_an_answer_may_still_be_opened(ann):
    """Rules 5.13, 24.1."""
    _answer, text = sealed(ann)
    with clock.set_to(cast.CLOSES):
        receipt_chain.append_all()
    soon = cast.CLOSES + timedelta(hours=1)
    assert not visibility.archived_rounds(Viewer(), soon).exists()
    assert visibility.archived_rounds(Viewer(), cast.CLOSES + DAY).exists()
    opened(text)
    assert not visibility.archived_rounds(Viewer(), cast.CLOSES + DAY).exists()
    with clock.set_to(soon):
        chain()
    # The number of the draw is in the archive; it is not public before that either.
    assert not visibility.archived_rounds(Viewer(), soon).exists()
    assert visibility.archived_rounds(Viewer(), cast.CLOSES + DAY).exists()
