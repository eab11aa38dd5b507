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
from kombu import Connection

from contest import celery, judging
from contest.celery import tasks, waking
from contest.judging import judge
from contest.models import State, Submission, Verdict
from tests import cast
from tooling.site import judge_command

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


def test_of_many_who_send_one_wakes_the_judge(broker):
    for _ in range(5):
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


def test_hints_that_nobody_takes_do_not_pile_up(broker):
    for _ in range(3):
        waking.wake_judge()
        waking.let_wake()
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
    monkeypatch.setattr(tasks, "_CLOSE_SECONDS", 60.0)
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
    monkeypatch.setattr(tasks._last, "here", time.monotonic())
    monkeypatch.setattr(tasks, "_STAY_SECONDS", 0.05)
    looks = []
    monkeypatch.setattr(tasks.judging, "judge_until_empty", lambda **_options: looks.append(1) or 1)
    tasks.judge()
    assert 2 <= len(looks) <= 8


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


def test_without_redis_the_sender_hears_nothing_of_it_and_the_next_do_not_try(settings, monkeypatch, caplog):
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(waking.breaker, "rests_until", 0.0)
    for kept in (waking._send_one, waking._take_mark_back, waking._listener):
        kept.cache_clear()
    started = time.monotonic()
    for _ in range(100):
        waking.wake_judge()
    assert time.monotonic() - started < 5
    assert caplog.text.count("No wake-up sent") == 1


def test_without_redis_no_hint_comes_and_it_is_not_asked_all_the_time(settings, monkeypatch, caplog):
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    waking._listener.cache_clear()
    monkeypatch.setattr(waking.listening, "rests_until", 0.0)
    waits = []
    monkeypatch.setattr(waking, "time", SimpleNamespace(sleep=waits.append))
    assert not waking.await_hint()
    waking._listener.cache_clear()
    assert waits == [waking._LISTEN_SECONDS]
    assert "No hint is heard" in caplog.text


def test_whatever_fails_in_waking_the_sender_hears_nothing_of_it(broker, monkeypatch, caplog):
    def fail(*_about):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(waking.Script, "ask_all", fail)
        waking.wake_judge()
    assert "No wake-up sent" in caplog.text
    assert hints(broker) == 0


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="an SQLite database of the tests lies in one process")
def test_a_worker_does_what_the_hint_says(start, broker, settings, own_redis, monkeypatch):
    """This one never sweeps by itself."""
    url = own_redis[1].split("?")[0]
    command = ["tests.contest.hints_alone" if word == "contest" else word for word in judge_command()]
    worker = start(command, REDIS_URL=url)
    until = time.monotonic() + 180
    while "ready." not in (said := worker.log.read_text()):
        assert time.monotonic() < until, said
        time.sleep(0.1)
    for name in ("one", "two", "three"):
        now = tasks.clock.now()
        if name == "one":
            cast.a_round(opens_at=now - cast.timedelta(days=1), closes_at=now + cast.timedelta(days=1))
        sent = cast.send(name, "rR").submission
        while Submission.objects.get(pk=sent.pk).verdict != Verdict.ACCEPTED:
            assert time.monotonic() < until + 60, worker.log.read_text()
            time.sleep(0.005)
    monkeypatch.setattr(waking, "wake_judge", lambda: None)
    sent = cast.send("four", "rR").submission
    with Connection(f"{url.replace('unix://', 'redis+socket://')}?virtual_host=0") as told:
        celery.app.send_task("contest.tasks.judge", connection=told)  # as the periodic jobs do
    while Submission.objects.get(pk=sent.pk).verdict != Verdict.ACCEPTED:
        assert time.monotonic() < until + 60, worker.log.read_text()
        time.sleep(0.005)
    while hints(broker):  # one that came while the judge was still at work with the one before
        assert time.monotonic() < until + 60, worker.log.read_text()
        time.sleep(0.005)


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


def test_silence_is_no_trouble(broker, monkeypatch, caplog):
    monkeypatch.setattr(waking, "_LISTEN_SECONDS", 0.1)
    monkeypatch.setattr(waking, "time", None)
    assert not waking.await_hint()
    assert "No hint is heard" not in caplog.text


@pytest.mark.parametrize(("queues", "listens"), [("judge,solve", True), ("solve", False)])
def test_who_has_long_work_alone_hears_no_hints(monkeypatch, queues, listens):
    begun = []
    monkeypatch.setattr(celery, "_begin", lambda name, *_about: begun.append(name))
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from=dict.fromkeys(queues.split(","))))
    celery.listen_for_hints(SimpleNamespace(app=SimpleNamespace(amqp=amqp)))
    assert begun == ["hints"] * listens


@pytest.mark.parametrize(("queues", "reports"), [("judge,solve", True), ("solve", True), ("judge", False)])
def test_who_has_searches_and_no_compiler_reports_it(monkeypatch, queues, reports):
    begun = []
    monkeypatch.setattr(celery, "_begin", lambda name, *_about: begun.append(name))
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from=dict.fromkeys(queues.split(","))))
    worker = SimpleNamespace(app=SimpleNamespace(amqp=amqp))
    celery.report_missing_compiler(worker)
    assert begun == []
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    celery.report_missing_compiler(worker)
    assert begun == ["compiler"] * reports


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
