"""A region runs one turn at a time, and lets those of others end that began meanwhile."""

import threading

import pytest

from contest.front import slots
from contest.front.doors import Kind
from contest.front.slots import Slots
from tests.contest.patience import wait_until

A, B, UNKNOWN = "192.0", "198.51", ""


@pytest.fixture
def running(monkeypatch):
    """Running turns that count as busy, however long the test takes."""
    monkeypatch.setattr(slots, "GRACE_SECONDS", 3_600.0)
    return Slots({Kind.PAGE: 4})


def closed(running):
    return running.closed().get(Kind.PAGE)


def test_while_a_turn_of_a_region_runs_its_next_one_waits_and_others_do_not(running):
    run = running.enter(Kind.PAGE, A)
    assert closed(running) == {A}
    running.leave(run)
    assert closed(running) == set()


def test_two_turns_run_at_a_time(running):
    runs = [running.enter(Kind.PAGE, region) for region in (A, B)]
    assert closed(running) is None
    running.leave(runs[0])
    assert closed(running) is not None


def test_a_region_waits_for_the_turn_of_another_that_began_during_its_own(running):
    first = running.enter(Kind.PAGE, A)
    other = running.enter(Kind.PAGE, B)
    running.leave(first)
    assert closed(running) == {A, B}
    running.leave(other)
    assert closed(running) == set()


def test_a_region_does_not_wait_for_a_turn_that_began_before_its_own(running):
    running.enter(Kind.PAGE, B)
    running.leave(running.enter(Kind.PAGE, A))
    assert closed(running) == {B}


def test_an_unknown_region_may_stand_for_many_clients(running):
    running.enter(Kind.PAGE, UNKNOWN)
    assert closed(running) == set()


@pytest.mark.parametrize("knows_clocks", [True, False])
def test_a_turn_that_mostly_waits_delays_nobody(monkeypatch, knows_clocks):
    monkeypatch.setattr(slots, "GRACE_SECONDS", 0.0)
    if not knows_clocks:
        monkeypatch.delattr("time.pthread_getcpuclockid", raising=False)
    running, go_on, entered = Slots({Kind.PAGE: 2}), threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: (running.enter(Kind.PAGE, A), entered.set(), go_on.wait(60)))
    thread.start()
    assert entered.wait(60)
    wait_until(lambda: closed(running) == set())
    go_on.set()
    thread.join()


def test_turns_that_mostly_wait_are_limited_by_region(monkeypatch, running):
    monkeypatch.setattr(slots.Run, "is_busy", False)
    for _ in range(4):
        running.enter(Kind.PAGE, A)
    assert closed(running) == {A}
