import uuid
from datetime import timedelta
from unittest.mock import Mock

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from contest.infra import clock
from contest.judging import claims, rejudge
from contest.judging import judge as judging
from contest.models import Best, State, Submission, Verdict, Verification
from contest.submissions import judge_now
from solvers.sokoban.reading import readers
from tests import cast
from tests.cast import judged, send

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("bound", ["rows", "cost", "an earlier attempt"])
def test_a_caller_that_looks_again_itself_still_judges_rows_beyond_the_batch_limit(during_round, monkeypatch, bound):
    for name in ("player", "rival", "stranger"):
        send(name, "rR")
    if bound == "rows":
        monkeypatch.setattr(claims, "BATCH", 2)
    elif bound == "cost":
        monkeypatch.setattr(claims, "BATCH_COST", 1)
    else:
        Submission.objects.filter(pk=claims.claim(1)[0].pk).update(lease_until=cast.DURING)
    assert judging.judge_until_empty(caller_looks_again=True) == 3


def test_a_verdict_is_dated_by_the_clock_of_the_database(db):
    now = clock.now_at_database()
    cast.a_round(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    receipt = send("player", "rR")
    judging.judge_until_empty()
    judged_at = judged(receipt).judged_at
    assert judged_at is not None
    assert now <= receipt.submission.received_at <= judged_at <= clock.now_at_database()
    assert Verification.objects.get().created_at == judged_at
    assert set(Best.objects.values_list("received_at", flat=True)) == {judged(receipt).received_at}


def test_of_a_batch_the_rows_that_were_lost_are_left_alone(during_round):
    lost, kept = send("player", "rR").submission, send("rival", "rR").submission
    held = claims.claim(10)
    Submission.objects.filter(pk=lost.pk).update(claim_token=uuid.uuid4())
    assert judging.judge_claimed(held) == 1
    assert set(Verification.objects.values_list("submission", flat=True)) == {kept.pk}
    assert set(Best.objects.values_list("submission", flat=True)) == {kept.pk}
    assert Submission.objects.get(pk=lost.pk).state == State.RUNNING


def test_a_row_is_judged_by_the_next_worker_after_its_lease_and_a_stalled_one_changes_nothing(during_round):
    receipt = send("player", "rR")
    held = claims.claim(10)
    assert judging.judge_until_empty() == 0
    with clock.set_to(cast.DURING + claims.LEASE):
        assert judging.judge_until_empty() == 1
    assert judging.judge_claimed(held) == 0
    assert Verification.objects.count() == 1
    assert during_round.levels.get(slot="main").board_version == 1
    assert judged(receipt).attempts == 1  # the attempt of the stalled worker: the other one finished its replay


def test_a_worker_with_a_fast_clock_does_not_take_claimed_rows(during_round, monkeypatch):
    receipt = send("player", "rR")
    monkeypatch.setattr(clock, "now_at_database", lambda: cast.DURING)
    held = claims.claim(10)
    with clock.set_to(cast.DURING + timedelta(hours=1)):
        assert claims.claim(10) == []
        assert judging.judge_claimed(held) == 1
    assert judged(receipt).judged_at == cast.DURING


@pytest.mark.parametrize(("ahead", "taken"), [(timedelta(hours=1), 1), (timedelta(seconds=1), 0)])
def test_a_row_of_a_killed_worker_does_not_wait_for_a_clock_that_was_set_back(during_round, ahead, taken):
    """With a clock only a moment behind the holder's, a judge does not take its rows."""
    send("player", "rR")
    with clock.set_to(cast.DURING + ahead):
        claims.claim(10)
    assert judging.judge_until_empty() == taken


def test_a_submission_that_kills_its_workers_is_held_and_harms_no_other(during_round):
    poison = send("player", "rR")
    receipts = [send(name, "rR") for name in ("rival", "stranger")]
    claims.claim(10)
    for attempt in range(1, 5):
        with clock.set_to(cast.DURING + attempt * claims.LEASE):
            for _ in range(3):
                for row in claims.claim(10):
                    if row.pk != poison.submission.pk:
                        judging.judge_claimed([row])
    assert judged(poison).state == State.QUARANTINED
    assert [judged(receipt).verdict for receipt in receipts] == [Verdict.ACCEPTED] * 2


@pytest.mark.parametrize("trouble", [RuntimeError, SoftTimeLimitExceeded])
def test_trouble_on_our_side_is_tried_again_and_then_held_for_staff(during_round, monkeypatch, trouble):
    """In the `prefork` pool Celery raises its time limit during the replay."""
    receipt = send("player", "rR")
    with monkeypatch.context() as troubled:
        troubled.setattr(readers, "judge", Mock(side_effect=trouble))
        judging.judge_until_empty()
    assert (judged(receipt).state, judged(receipt).attempts) == (State.QUARANTINED, claims.MAX_ATTEMPTS)
    assert rejudge.release(Submission.objects.all(), None, "repaired") == 1
    judging.judge_until_empty()
    assert judged(receipt).verdict == Verdict.ACCEPTED


def test_a_batch_that_takes_too_long_gives_the_rest_back_at_no_cost(during_round, monkeypatch):
    receipts = [send(name, "rR") for name in ("player", "rival")]
    monkeypatch.setattr(judging, "BATCH_SECONDS", -1.0)
    judging.judge_claimed(claims.claim(10))
    assert [(judged(one).state, judged(one).attempts) for one in receipts] == [(State.QUEUED, 0)] * 2


def test_a_door_does_a_workers_part_in_turn_and_has_its_own_row_judged_if_it_is_in_it(during_round):
    """A costly text is judged after all that are before it, whichever receipt asks for its verdict."""
    first, costly = send("player", "rR"), send("rival", "rR")
    Submission.objects.filter(pk=first.submission.pk).update(cost=claims.BATCH_COST)
    assert judge_now(costly.submission).is_pending
    assert judged(first).verdict == Verdict.ACCEPTED
    assert judge_now(costly.submission).verdict == Verdict.ACCEPTED
    held = send("stranger", "rR").submission
    Submission.objects.filter(pk=held.pk).update(state=State.RUNNING, lease_until=cast.DURING + claims.LEASE)
    assert judge_now(held).is_pending, "a worker holds it"


def test_a_row_with_an_expired_lease_is_claimed_alone_and_in_order(during_round):
    send("first", "rR")
    silent = send("silent", "rR").submission
    send("last", "rR")
    Submission.objects.filter(pk=silent.pk).update(state=State.RUNNING, lease_until=cast.DURING)
    taken = [[row.pk - silent.pk for row in claims.claim(10)] for _ in range(4)]
    assert taken == [[-1], [0], [1], []]


def test_what_is_held_for_staff_keeps_the_judge_from_nothing_else(during_round):
    spent = send("spent", "rR").submission
    send("next", "rR")
    Submission.objects.filter(pk=spent.pk).update(
        state=State.RUNNING, lease_until=cast.DURING, attempts=claims.MAX_ATTEMPTS
    )
    assert judging.judge_until_empty() == 1
