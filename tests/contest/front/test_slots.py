"""Short turns run one after the other, and a region's long ones leave a place for another region."""

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


def lasting(running, *regions):
    """Begin a turn of each region, and let it use more of the processor than a short one."""
    runs = [running.enter(Kind.PAGE, region) for region in regions]
    for run in runs:
        run._cpu_began_at -= slots.SHORT_SECONDS
    return runs


def test_short_turns_run_one_after_the_other(running):
    run = running.enter(Kind.PAGE, A)
    assert closed(running) is None
    running.leave(run)
    assert closed(running) == set()


def test_beside_a_long_turn_the_next_one_begins_of_its_own_region_too(running):
    lasting(running, A)
    assert closed(running) == set()
    running.enter(Kind.PAGE, A)
    assert closed(running) is None


@pytest.mark.parametrize("region", [A, UNKNOWN])
def test_long_turns_of_one_region_leave_a_place_for_another(running, region):
    lasting(running, region, region)
    assert closed(running) == {region} - {UNKNOWN}
    lasting(running, B)
    assert closed(running) is None


def test_a_batch_delays_nobody(running):
    running.enter(Kind.SUBMISSION, UNKNOWN, rests=True)
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
