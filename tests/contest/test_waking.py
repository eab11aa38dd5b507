"""Wake-ups of the judge: one at a time, none while it works, and no row is missed (docs/explanation/judging.md)."""

import errno
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import redis
from django.conf import settings as site
from django.db import transaction

from contest.celery import app, sweeping, tasks, waking
from contest.infra import circuit_breaker
from contest.judging import judge
from contest.models import State, Submission
from contest.ops import metrics
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def hints(cache_of_its_own, monkeypatch):
    sent = []
    monkeypatch.setattr(waking.breaker, "rests_until", 0.0)
    # A sweep closes old connections, and takes that of a test, in its transaction, for one.
    monkeypatch.setattr("django.db.close_old_connections", lambda: None)
    monkeypatch.setattr(app, "send_task", lambda name, **_options: sent.append(name.removeprefix("contest.tasks.")))
    return sent


@pytest.fixture
def send(django_capture_on_commit_callbacks):
    def send_as(name, text="rR"):
        with django_capture_on_commit_callbacks(execute=True):
            cast.send(name, text)

    return send_as


@pytest.fixture
def connected(monkeypatch):
    monkeypatch.setattr(sweeping, "_is_connected", SimpleNamespace(is_set=lambda: True))


def states():
    return set(Submission.objects.values_list("state", flat=True))


def test_only_the_first_of_many_senders_notifies_the_judge(hints):
    for _ in range(5):
        waking.wake_judge()
    assert hints == ["judge"]
    waking.clear_mark("judge")
    waking.wake_judge()
    assert hints == ["judge"] * 2


@pytest.mark.django_db(transaction=True)
def test_no_hint_is_sent_before_the_commit(hints, during_round):
    with transaction.atomic():
        cast.send("first", "rR")
        assert hints == []
    assert hints == ["judge"]


def test_a_working_judge_gets_no_hint_and_misses_no_submission(hints, send, during_round, monkeypatch):
    replay, clear_mark = judge.outcome_of, waking.clear_mark

    def send_once(name):
        if not Submission.objects.filter(player__nickname=name).exists():
            send(name)

    def replay_while_another_sends(*arguments):
        send_once("second")
        return replay(*arguments)

    def clear_after_another_sent(task):
        send_once("third")
        clear_mark(task)

    monkeypatch.setattr(judge, "outcome_of", replay_while_another_sends)
    monkeypatch.setattr(waking, "clear_mark", clear_after_another_sent)
    send("first")
    tasks.judge()
    assert (hints, states()) == (["judge"], {State.JUDGED})
    send("fourth")
    assert hints == ["judge"] * 2


def test_a_sweep_sends_a_hint_again_if_rows_wait(hints, connected, during_round):
    """A worker was killed while it held the wake-up."""
    waking.wake_judge()
    sweeping.sweep()
    assert hints == ["judge"]
    cast.send("player", "rR")
    sweeping.sweep()
    assert (hints, states()) == (["judge"] * 2, {State.QUEUED})


def test_the_sweep_judges_while_the_broker_is_down_and_the_next_sweep_adds_its_counts(hints, during_round, monkeypatch):
    counts = []
    monkeypatch.setattr(metrics, "count_verdicts", counts.extend)
    monkeypatch.setattr(metrics, "flush", lambda: counts.append("flushed"))
    cast.send("player", "rR")
    sweeping.sweep()
    assert (hints, states()) == ([], {State.JUDGED})
    sweeping.sweep()
    assert counts[-1] == "flushed"


@pytest.mark.parametrize("error", [redis.ConnectionError(), OSError(errno.EMFILE, "Too many open files")])
def test_a_broker_that_refuses_hints_disturbs_no_sender_and_is_left_alone(
    hints, connected, during_round, monkeypatch, caplog, error
):
    send_task = Mock(side_effect=error)
    monkeypatch.setattr(circuit_breaker, "_REST_SECONDS", 600.0)
    monkeypatch.setattr(app, "send_task", send_task)
    for _ in range(5):
        assert not waking.wake_judge()
    assert send_task.call_count == caplog.text.count("No hint was sent") == 1
    cast.send("player", "rR")
    sweeping.sweep()
    assert states() == {State.JUDGED}


def test_every_periodic_task_exists_and_expires_before_the_next():
    app.loader.import_default_modules()
    for entry in site.CELERY_BEAT_SCHEDULE.values():
        assert entry["task"] in app.tasks
        assert entry["options"]["expires"] <= entry["schedule"]
