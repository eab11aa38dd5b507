"""Waking the judge: one hint at a time, none while it works, and nothing that waits is overlooked (docs/judging.md)."""

import errno
import json
import os
import subprocess
import sys
import time
from functools import partial
from threading import Event

import pytest
import redis
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from contest import celery, judging
from contest.celery import tasks, waking
from contest.infra.redis.scripts import Script
from contest.judging import judge
from contest.models import State, Submission, Verdict
from tests import cast
from tooling.site import judge_command

pytestmark = pytest.mark.django_db


@pytest.fixture
def broker(own_redis, settings, monkeypatch):
    """Redis's database of the hints, empty."""
    settings.BROKER_URL = own_redis[1].replace("?db=2", "?db=0")
    for breaker in (waking.breaker, waking.rate_limits.breaker):
        monkeypatch.setattr(breaker, "rests_until", 0.0)
    for kept in (waking._send_one, waking._take_mark_back):
        kept.cache_clear()
    broker = redis.Redis.from_url(settings.BROKER_URL)
    broker.flushdb()
    yield broker
    for kept in (waking._send_one, waking._take_mark_back):
        kept.cache_clear()


def hints(broker):
    return broker.llen("judge")


def test_of_many_who_send_one_wakes_the_judge(broker):
    for _ in range(5):
        waking.wake_judge()
    assert hints(broker) == 1


def test_each_hint_has_an_id_of_its_own(broker):
    for _ in range(2):
        waking.wake_judge()
        waking.let_wake()
    sent = [json.loads(message) for message in broker.lrange("judge", 0, -1)]
    assert len({message["headers"]["id"] for message in sent}) == 2
    assert all(
        message["headers"]["id"] == message["properties"]["correlation_id"] == message["properties"]["delivery_tag"]
        for message in sent
    )


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
    broker.delete("judge")  # a worker has taken it
    tasks.judge()
    assert hints_seen == [1, 0, 0]
    assert set(Submission.objects.values_list("state", flat=True)) == {State.JUDGED}
    send("fourth")
    assert hints_seen[-1] == 1


@pytest.fixture
def _some_time_after(monkeypatch):
    monkeypatch.setattr(waking._last, "woken", float("-inf"))
    monkeypatch.setattr(tasks._last, "here", float("-inf"))


@pytest.fixture
def times(monkeypatch):
    """Whether it was before a commit, and nobody waited for an answer, each time somebody woke a judge."""
    send, times = waking._send, []

    def see(by):
        assert connection.in_atomic_block == (by is Script.tell)
        times.append(connection.in_atomic_block)
        send(by)

    monkeypatch.setattr(waking, "_send", see)
    return times


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_some_time_after")
def test_a_lonely_sender_wakes_the_judge_before_the_commit_and_who_follows_close_after_it(
    broker, during_round, times, monkeypatch
):
    monkeypatch.setattr(waking, "CLOSE_SECONDS", 60.0)
    cast.send("first", "rR")
    assert (times, hints(broker)) == ([True, False], 1)
    cast.send("second", "rR")
    assert times == [True, False, False]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_some_time_after", "broker")
def test_where_redis_has_just_let_the_limits_wait_nobody_waits_for_it_before_the_commit(
    during_round, times, monkeypatch
):
    monkeypatch.setattr(waking.rate_limits.breaker, "rests_until", float("inf"))
    cast.send("first", "rR")
    assert times == [False]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_some_time_after")
def test_nobody_is_woken_before_a_commit_that_others_make_later(broker, during_round, times):
    with transaction.atomic():
        cast.send("first", "rR")
        assert times == []
    assert times == [False]


@pytest.mark.usefixtures("_some_time_after")
def test_a_judge_that_comes_before_the_commit_looks_until_it_is_there(broker, during_round, monkeypatch):
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 2:
            cast.send("first", "rR")

    monkeypatch.setattr(tasks.time, "sleep", sleep)
    tasks.judge()
    assert len(waits) == 2
    assert Submission.objects.get().state == State.JUDGED
    tasks._last.here = float("-inf")
    tasks.judge()  # and there is nothing any more
    assert sum(waits[2:]) < 0.01


def test_a_judge_stays_for_those_who_follow_close_and_for_nobody_else(
    broker, during_round, monkeypatch, django_capture_on_commit_callbacks
):
    coming, waits = ["third", "second"], []

    def send(name):
        with django_capture_on_commit_callbacks(execute=True):
            cast.send(name, "rR")

    def sleep(seconds):
        waits.append(seconds)
        if coming:
            send(coming.pop())

    monkeypatch.setattr(tasks.time, "sleep", sleep)
    monkeypatch.setattr(tasks._last, "here", float("-inf"))
    send("first")
    tasks.judge()
    assert (waits, hints(broker)) == ([], 1)
    waking.wake_judge()
    tasks.judge()
    assert len(waits) == 3  # two came, and then nobody
    assert hints(broker) == 2  # neither of them sent one
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
    broker.delete("judge")
    cast.send("player", "lr" * 400_000)
    judging.judge_until_empty(before_long=waking.let_wake)
    waking.wake_judge()
    assert hints(broker) == 1


def test_a_sweep_that_finds_nothing_lets_the_next_sender_wake_a_judge_again(broker):
    """A worker was killed with the hint in its hands."""
    waking.wake_judge()
    broker.delete("judge")
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
    for kept in (waking._send_one, waking._take_mark_back):
        kept.cache_clear()
    started = time.monotonic()
    for _ in range(100):
        waking.wake_judge()
    assert time.monotonic() - started < 5
    assert caplog.text.count("No wake-up sent") == 1


def test_whatever_fails_in_waking_the_sender_hears_nothing_of_it(broker, monkeypatch, caplog):
    def fail():
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(waking, "_hint", fail)
    waking.wake_judge()
    assert "No wake-up sent" in caplog.text
    assert hints(broker) == 0


def test_the_web_has_the_hint_before_its_first_request():
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import contest.wsgi; from contest.celery import waking; print(waking._hint.cache_info())",
        ],
        env=os.environ | {"DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "currsize=1" in said.stdout


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
