"""Database failures while a judge holds rows: an attempt that one ends does not count (docs/explanation/judging.md)."""

import threading
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.db import OperationalError, connection

from contest.infra import clock
from contest.judging import claims, record
from contest.judging import judge as judging
from contest.models import State, Verdict
from solvers.sokoban.reading import readers
from tests import cast
from tests.cast import judged, send

pytestmark = pytest.mark.django_db(transaction=True)
full = Mock(side_effect=OperationalError("No space left on device"))


def claims_are_taken_and_no_more(execute, sql, params, many, context):
    if "attempts = attempts + 1" in sql or sql.lstrip().startswith("SELECT"):
        return execute(sql, params, many, context)
    return full()


def test_a_verdict_that_the_database_does_not_take_is_no_attempt(during_round, monkeypatch):
    receipts = [send(name, "rR") for name in ("player", "rival")]
    with monkeypatch.context() as trouble:
        trouble.setattr(record, "write", full)
        for _ in range(claims.MAX_ATTEMPTS + 2):
            with pytest.raises(OperationalError):
                judging.judge_until_empty()
            # The rows are free again at once, without waiting for the end of a lease.
            assert [(judged(one).state, judged(one).attempts) for one in receipts] == [(State.QUEUED, 0)] * 2
    assert judging.judge_until_empty() == 2
    assert [(judged(one).verdict, judged(one).attempts) for one in receipts] == [(Verdict.ACCEPTED, 1)] * 2


def test_a_claim_that_cannot_even_be_given_back_is_given_back_before_the_next(during_round):
    receipt = send("player", "rR")
    for _ in range(claims.MAX_ATTEMPTS + 2):
        with connection.execute_wrapper(claims_are_taken_and_no_more), pytest.raises(OperationalError):
            judging.judge_until_empty()
        assert (judged(receipt).state, judged(receipt).attempts) == (State.RUNNING, 1)
    assert judging.judge_until_empty() == 1
    assert (judged(receipt).verdict, judged(receipt).attempts) == (Verdict.ACCEPTED, 1)


def test_a_replay_longer_than_its_lease_is_an_attempt_although_another_took_the_row(during_round, monkeypatch):
    receipt = send("player", "rR")
    held = claims.claim(10)
    with clock.set_to(cast.DURING + claims.LEASE):
        claims.claim(10)
        monkeypatch.setattr(claims, "LEASE", timedelta(0))
        assert judging.judge_claimed(held) == 0
    assert judged(receipt).attempts == 2


def test_a_power_cut_behind_the_replay_is_no_attempt_however_often_it_comes(during_round, monkeypatch):
    receipt = send("player", "rR")
    with monkeypatch.context() as trouble:
        trouble.setattr(record, "write", Mock(side_effect=SystemExit))
        for turn in range(claims.MAX_ATTEMPTS + 3):
            with clock.set_to(cast.DURING + turn * claims.LEASE), pytest.raises(SystemExit):
                judging.judge_until_empty()
    with clock.set_to(cast.DURING + (claims.MAX_ATTEMPTS + 3) * claims.LEASE):
        assert judging.judge_until_empty() == 1
    assert judged(receipt).verdict == Verdict.ACCEPTED


def test_in_a_batch_only_the_replay_that_raised_counts_as_an_attempt(during_round, monkeypatch):
    poison, harmless = send("player", "rR"), send("rival", "rRl")
    judge = readers.judge

    def broken(levels, text, *args, **more):
        if text == "rR":
            raise RuntimeError
        return judge(levels, text, *args, **more)

    monkeypatch.setattr(readers, "judge", broken)
    monkeypatch.setattr(record, "write", full)
    with pytest.raises(OperationalError):
        judging.judge_claimed(claims.claim(10))
    assert [(judged(one).state, judged(one).attempts) for one in (poison, harmless)] == [
        (State.QUEUED, 1),
        (State.QUEUED, 0),
    ]


@pytest.fixture
def small_batches(monkeypatch):
    """Batches of two, so that seven rows make a backlog; yield the names of the recording threads, in order."""
    monkeypatch.setattr(claims, "BATCH", 2)
    settle, threads = judging._settle, []

    def noted(replayed):
        threads.append(threading.current_thread().name.split("_")[0])
        return settle(replayed)

    monkeypatch.setattr(judging, "_settle", noted)
    return threads


@pytest.mark.postgres
def test_if_recording_in_the_second_thread_fails_both_batches_are_returned(during_round, small_batches, monkeypatch):
    receipts = [send(f"player {number}", "rR") for number in range(7)]
    with monkeypatch.context() as trouble:
        trouble.setattr(record, "write", full)
        with pytest.raises(OperationalError):
            judging.judge_until_empty()
    assert small_batches == ["beside", "MainThread"]
    assert [(judged(one).state, judged(one).attempts) for one in receipts] == [(State.QUEUED, 0)] * 7
    assert judging.judge_until_empty() == 7
