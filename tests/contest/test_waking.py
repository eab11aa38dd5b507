"""Waking the judge: one hint at a time, none while it works, and nothing that waits is overlooked (docs/judging.md)."""

import errno
import time
from functools import partial
from threading import Event
from types import SimpleNamespace

import pytest
import redis
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from contest import celery, judging
from contest.celery import tasks, waking
from contest.infra import circuit_breaker
from contest.judging import judge
from contest.models import State, Submission
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def broker(own_redis, settings, monkeypatch):
    """Redis's database of the hints, empty."""
    settings.BROKER_URL = own_redis[1].replace("?db=2", "?db=0")
    monkeypatch.setattr(waking.breaker, "rests_until", 0.0)
    for kept in (waking._send_one, waking._take_mark_back, waking._listener):
        kept.cache_clear()
    broker = redis.Redis.from_url(settings.BROKER_URL)
    broker.flushdb()
    yield broker
    for kept in (waking._send_one, waking._take_mark_back, waking._listener):
        kept.cache_clear()


def hints(broker):
    return broker.llen("judge-hints")


def test_of_many_who_send_one_wakes_the_judge_and_hints_that_nobody_takes_do_not_pile_up(broker):
    for _ in range(5):
        waking.wake_judge()
    assert hints(broker) == 1
    waking.let_wake()
    waking.wake_judge()
    assert hints(broker) == 1


def test_nobody_wakes_a_judge_that_works_and_it_overlooks_nobody_who_came_meanwhile(
    broker, during_round, monkeypatch, django_capture_on_commit_callbacks
):
    replay, let_wake = judge.outcome_of, waking.let_wake
    hints_seen = []

    def send(name):
        with django_capture_on_commit_callbacks(execute=True):
            cast.send(name, "rR")
        hints_seen.append(hints(broker))

    def sent_while_it_replays(*about):
        if not Submission.objects.filter(player__nickname="second").exists():
            send("second")
        return replay(*about)

    def sent_after_its_last_look():
        if not Submission.objects.filter(player__nickname="third").exists():
            send("third")
        let_wake()

    monkeypatch.setattr(judge, "outcome_of", sent_while_it_replays)
    monkeypatch.setattr(waking, "let_wake", sent_after_its_last_look)
    send("first")
    broker.delete("judge-hints")  # a worker has taken it
    tasks.judge()
    assert hints_seen == [1, 0, 0]
    assert set(Submission.objects.values_list("state", flat=True)) == {State.JUDGED}
    send("fourth")
    assert hints_seen[-1] == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_is_woken_before_the_commit(broker, during_round):
    with transaction.atomic():
        cast.send("first", "rR")
        assert hints(broker) == 0
    assert hints(broker) == 1


def test_a_judge_stays_for_those_who_follow_close_and_for_nobody_else(
    broker, during_round, monkeypatch, django_capture_on_commit_callbacks
):
    coming, waits = ["fourth", "third"], []

    def send(name):
        with django_capture_on_commit_callbacks(execute=True):
            cast.send(name, "rR")

    def sleep(seconds):
        waits.append(seconds)
        if coming:
            send(coming.pop())

    monkeypatch.setattr(tasks.time, "sleep", sleep)
    monkeypatch.setattr(tasks._last, "here", float("-inf"))
    for name in ("_CLOSE_SECONDS", "_STAY_SECONDS"):
        monkeypatch.setattr(tasks, name, 600.0)
    send("first")
    assert waking.await_hint()
    tasks.judge()
    assert waits == []
    send("second")
    assert waking.await_hint()
    tasks.judge()
    assert len(waits) == 3  # two came, and then nobody
    assert hints(broker) == 0  # neither of them sent one
    assert set(Submission.objects.values_list("state", flat=True)) == {State.JUDGED}


def test_however_many_come_a_judge_has_other_tasks_too(broker, during_round, monkeypatch):
    slept, looks = [], []
    monkeypatch.setattr(tasks, "time", SimpleNamespace(sleep=slept.append, monotonic=lambda: sum(slept)))
    monkeypatch.setattr(tasks._last, "here", 0.0)
    monkeypatch.setattr(tasks.judging, "judge_until_empty", lambda **_options: looks.append(1) or 1)
    tasks.judge()
    assert sum(slept) == pytest.approx(tasks._STAY_SECONDS, abs=2 * tasks._GATHER_SECONDS)
    assert len(looks) == len(slept) + 2


def test_who_sends_while_counts_are_made_for_the_pages_waits_for_one_of_them_at_most(during_round, monkeypatch):
    states = []
    monkeypatch.setattr(tasks.visitors, "keep_counts", lambda _at: cast.send("player", "rR"))
    monkeypatch.setattr(tasks.all_rounds, "of_site", lambda *_about: states.append(Submission.objects.get().state))
    tasks.count()
    assert states == [State.JUDGED]


def test_while_one_judge_is_busy_for_long_another_may_be_woken(broker, during_round):
    waking.wake_judge()
    broker.delete("judge-hints")
    cast.send("player", "lr" * 400_000)
    judging.judge_until_empty(before_long=waking.let_wake)
    waking.wake_judge()
    assert hints(broker) == 1


def test_a_sweep_that_finds_nothing_lets_the_next_sender_wake_a_judge_again(broker):
    """A worker was killed with the hint in its hands."""
    waking.wake_judge()
    broker.delete("judge-hints")
    tasks.sweep()
    waking.wake_judge()
    assert hints(broker) == 1


def test_a_sweep_looks_once_and_waits_for_nobody(broker, during_round, monkeypatch):
    """Every worker sweeps all the time, and verdicts of its judge wait for what a sweep does."""
    monkeypatch.setattr(tasks.time, "sleep", None)
    monkeypatch.setattr(tasks._last, "here", time.monotonic())
    with CaptureQueriesContext(connection) as asked:
        tasks.sweep()
    assert len(asked) <= 2
    cast.send("player", "rR")
    tasks.sweep()
    assert Submission.objects.get().state == State.JUDGED


@pytest.mark.parametrize("error", [redis.ConnectionError(), OSError(errno.EMFILE, "Too many open files")])
def test_where_redis_cannot_be_asked_the_sender_hears_nothing_of_it_and_the_next_do_not_try(
    broker, monkeypatch, caplog, error
):
    asked = []

    def fail(*about):
        asked.append(about)
        raise error

    monkeypatch.setattr(circuit_breaker, "_REST_SECONDS", 600.0)
    monkeypatch.setattr(waking.Script, "ask_all", fail)
    for _ in range(5):
        waking.wake_judge()
    assert len(asked) == caplog.text.count("No wake-up sent") == 1


def test_where_no_hint_can_be_heard_none_comes_and_it_is_not_asked_all_the_time(settings, monkeypatch, caplog):
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    waking._listener.cache_clear()
    monkeypatch.setattr(waking.listening, "rests_until", 0.0)
    waits = []
    monkeypatch.setattr(waking, "time", SimpleNamespace(sleep=waits.append))
    assert not waking.await_hint()
    waking._listener.cache_clear()
    assert waits == [waking._LISTEN_SECONDS]
    assert "No hint is heard" in caplog.text


def test_a_round_that_fails_and_cannot_even_be_counted_is_not_the_last(monkeypatch):
    """As where a process may open no file more: nobody would sweep until the worker is started anew."""
    turns = []

    def fail(*_args):
        raise OSError(errno.EMFILE, "Too many open files")

    def turn():
        turns.append(len(turns))
        if len(turns) == 3:
            celery._stop.set()
        fail()

    monkeypatch.setattr(celery, "_stop", Event())
    monkeypatch.setattr(celery, "_close_stale_connections", turn)
    monkeypatch.setattr(celery, "count_failure", fail)
    celery._go_round("sweep", 0.0, {})
    assert turns == [0, 1, 2]


def test_a_judge_that_fails_on_a_hint_is_counted_and_told_of_the_next(broker, monkeypatch):
    turns, counted = [], []

    def fail():
        turns.append(len(turns))
        if len(turns) == 2:
            celery._stop.set()
        waking.let_wake()
        waking.wake_judge()
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(celery, "_stop", Event())
    monkeypatch.setattr(celery, "_close_stale_connections", lambda: None)
    monkeypatch.setattr(celery, "count_failure", lambda _sender, name: counted.append(name))
    monkeypatch.setattr(celery.app, "tasks", {"contest.tasks.judge": fail})
    waking.wake_judge()
    celery._judge_when_told("hints")
    assert (turns, counted) == ([0, 1], ["hints"] * 2)


def test_who_is_told_to_end_takes_no_hint_from_others(broker, monkeypatch):
    monkeypatch.setattr(celery, "_stop", Event())
    for part in (judging, tasks.films, tasks.searches):
        monkeypatch.setattr(part, "stop", lambda: None)
    celery.give_back_what_is_held()
    assert celery._stop.is_set()
    waking.wake_judge()
    celery._judge_when_told("hints")
    assert hints(broker) == 1


def test_who_is_told_to_end_while_it_waits_passes_the_hint_on(broker, monkeypatch):
    stop, await_hint = Event(), waking.await_hint

    def be_told_meanwhile():
        stop.set()
        return await_hint()

    monkeypatch.setattr(celery, "_stop", stop)
    monkeypatch.setattr(celery.app, "tasks", {})
    monkeypatch.setattr(waking, "await_hint", be_told_meanwhile)
    waking.wake_judge()
    celery._judge_when_told("hints")
    assert hints(broker) == 1


@pytest.mark.parametrize(
    ("queues", "begins"), [("judge,solve", ["hints", "compiler"]), ("solve", ["compiler"]), ("judge", ["hints"])]
)
def test_who_has_long_work_alone_hears_no_hints_and_who_has_searches_reports_a_missing_compiler(
    monkeypatch, queues, begins
):
    begun = []
    monkeypatch.setattr(celery, "_begin", lambda name, *_about: begun.append(name))
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from=dict.fromkeys(queues.split(","))))
    worker = SimpleNamespace(app=SimpleNamespace(amqp=amqp))
    celery.listen_for_hints(worker)
    celery.report_missing_compiler(worker)
    assert begun == ["hints"] * ("hints" in begins)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    celery.report_missing_compiler(worker)
    assert begun == begins


def test_what_is_less_urgent_comes_in_every_so_many_rounds(monkeypatch):
    done = []

    def turn():
        if len(done) == 8:
            celery._stop.set()

    monkeypatch.setattr(celery, "_stop", Event())
    monkeypatch.setattr(celery, "_close_stale_connections", turn)
    monkeypatch.setattr(celery.app, "tasks", {name: partial(done.append, name) for name in "ab"})
    celery._go_round("sweep", 0.0, {"a": 1, "b": 3})
    assert "".join(done) == "abaaabaaab"
