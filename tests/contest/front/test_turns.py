"""Who waits for a thread: in turns, bounded, and each address for itself."""

import threading
import time

import pytest

from contest.front import turns
from contest.front.doors import Kind
from contest.front.turns import Full, Room, Turn


@pytest.fixture
def blocked():
    """A room whose only thread works until told otherwise, and what was done in it since."""
    room, done, go_on = Room(1), [], threading.Event()
    begun = threading.Event()
    room.open()
    room.join(Turn(lambda: (begun.set(), go_on.wait(10)), lambda: None, Kind.PAGE, ""))
    begun.wait(10)
    yield room, done, go_on
    go_on.set()
    room.close()


def waiting(room, done, kind, sender=""):
    room.join(Turn(lambda: done.append(kind), lambda: done.append(f"gave up {kind}"), kind, sender))


def wait_until(is_so):
    until = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_submissions_come_before_pages_before_films(blocked):
    room, done, go_on = blocked
    for kind in [Kind.FILM, Kind.PAGE, Kind.SUBMISSION] * 20:
        waiting(room, done, kind)
    go_on.set()
    wait_until(lambda: len(done) == 60)
    first = done[:20]
    assert first.count(Kind.SUBMISSION) > first.count(Kind.PAGE) > first.count(Kind.FILM) > 0


def test_a_flood_of_submissions_starves_no_page(blocked):
    room, done, go_on = blocked
    for _ in range(200):
        waiting(room, done, Kind.SUBMISSION)
    waiting(room, done, Kind.PAGE)
    go_on.set()
    wait_until(lambda: len(done) == 201)
    assert done.index(Kind.PAGE) < 10


@pytest.mark.parametrize("kind", [Kind.SUBMISSION, Kind.PAGE, Kind.FILM])
def test_above_the_bound_nobody_waits(blocked, kind):
    room, done, _go_on = blocked
    for number in range(turns.MOST_WAITING[kind]):
        waiting(room, done, kind, f"192.0.2.{number}")
    with pytest.raises(Full):
        waiting(room, done, kind, "198.51.100.1")


def test_one_address_does_not_take_every_place(blocked):
    room, done, _go_on = blocked
    for _ in range(turns.MOST_WAITING[Kind.PAGE] // turns.PART_OF_ONE):
        waiting(room, done, Kind.PAGE, "192.0.2.1")
    with pytest.raises(Full):
        waiting(room, done, Kind.PAGE, "192.0.2.1")
    waiting(room, done, Kind.PAGE, "192.0.2.2")


def test_who_has_waited_too_long_is_told_so(blocked, monkeypatch):
    room, done, go_on = blocked
    monkeypatch.setattr(turns, "MOST_SECONDS", 0.0)
    waiting(room, done, Kind.PAGE)
    go_on.set()
    wait_until(lambda: done)
    assert done == ["gave up page"]


def test_when_the_room_closes_who_waits_is_told_so(blocked):
    room, done, go_on = blocked
    waiting(room, done, Kind.PAGE)
    threading.Timer(0.1, go_on.set).start()
    room.close()
    assert done == ["gave up page"]
