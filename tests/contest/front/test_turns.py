import threading

import pytest

from contest.front import slots, turns
from contest.front.doors import Kind
from contest.front.shares import Shares
from contest.front.slots import resting
from contest.front.turns import Full, ThreadPool, Turn
from tests.contest.patience import wait_until


@pytest.fixture
def blocked():
    """Yield a pool whose only thread is busy, an empty list for what runs next, and the event that frees the thread."""
    room, done, go_on = ThreadPool(1), [], threading.Event()
    begun = threading.Event()
    room.open()
    room.join(Turn(lambda: (begun.set(), go_on.wait(10)), lambda: None, Kind.PAGE, ""))
    begun.wait(10)
    yield room, done, go_on
    go_on.set()
    room.close()


def join(room, done, kind, sender=""):
    room.join(Turn(lambda: done.append(kind), lambda: done.append(f"gave up {kind}"), kind, sender))


def test_submissions_come_before_pages_before_films(blocked):
    room, done, go_on = blocked
    for kind in [Kind.FILM, Kind.PAGE, Kind.SUBMISSION] * 20:
        join(room, done, kind)
    go_on.set()
    wait_until(lambda: len(done) == 60)
    first = done[:20]
    assert first.count(Kind.SUBMISSION) > first.count(Kind.PAGE) > first.count(Kind.FILM) > 0


def test_turns_of_one_region_that_mostly_wait_have_a_part_of_the_threads(monkeypatch):
    monkeypatch.setattr(slots, "GRACE_SECONDS", 0.0)
    room, begun, go_on, other = ThreadPool(16), [], threading.Event(), threading.Event()
    room.open()

    def work():
        begun.append(1)
        go_on.wait(10)

    for number in range(8):
        room.join(Turn(work, lambda: None, Kind.PAGE, f"192.0.2.{number}"))
    wait_until(lambda: len(begun) == 2)
    room.join(Turn(other.set, lambda: None, Kind.PAGE, "198.51.100.7"))
    assert other.wait(10)
    assert len(begun) == 2
    go_on.set()
    wait_until(lambda: len(begun) == 8)
    room.close()
    assert not room._slots._running


def test_beside_a_turn_that_rests_the_next_one_of_its_region_begins(monkeypatch):
    monkeypatch.setattr(slots, "GRACE_SECONDS", 3_600.0)
    room, go_on, other = ThreadPool(8), threading.Event(), threading.Event()
    room.open()

    def work():
        with resting():
            go_on.wait(60)

    room.join(Turn(work, lambda: None, Kind.PAGE, "192.0.2.1"))
    room.join(Turn(other.set, lambda: None, Kind.PAGE, "192.0.2.2"))
    assert other.wait(60)
    go_on.set()
    room.close()


@pytest.mark.parametrize("kind", [Kind.SUBMISSION, Kind.PAGE, Kind.FILM])
def test_above_the_bound_nobody_waits(blocked, kind):
    room, done, _go_on = blocked
    for number in range(turns.MOST_WAITING[kind]):
        join(room, done, kind, f"{number >> 8}.{number % 256}.2.1")
    with pytest.raises(Full):
        join(room, done, kind, "198.51.100.1")


def test_one_region_has_a_part_of_the_places(blocked):
    room, done, _go_on = blocked
    for number in range(turns.MOST_WAITING[Kind.PAGE] // turns.QUEUE_DIVISOR_PER_REGION):
        join(room, done, Kind.PAGE, f"192.0.{number}.1")
    with pytest.raises(Full):
        join(room, done, Kind.PAGE, "192.0.2.200")


def test_a_turn_that_waited_too_long_gives_up(blocked, monkeypatch):
    room, done, go_on = blocked
    monkeypatch.setattr(turns, "MOST_SECONDS", 0.0)
    join(room, done, Kind.PAGE)
    go_on.set()
    wait_until(lambda: done)
    assert done == ["gave up page"]


def test_waiting_turns_give_up_when_the_pool_closes(blocked):
    room, done, go_on = blocked
    room.join(Turn(lambda: None, lambda: (done.append("gave up"), go_on.set()), Kind.PAGE, ""))
    room.close()
    assert done == ["gave up"]


class Work:
    """A batch handler that handles numbers up to 100, fails on [12, 13, 14], and blocks until released."""

    def __init__(self):
        self.batches, self.alone, self.gave_up = [], [], []
        self.begun, self.goes_on = threading.Semaphore(0), threading.Event()

    def __call__(self, numbers):
        self.batches.append(list(numbers))
        self.begun.release()
        assert self.goes_on.wait(20)
        if numbers == [12, 13, 14]:
            raise ValueError
        return [number <= 100 for number in numbers]

    def turn(self, number, sender=""):
        return Turn(
            lambda: self.alone.append(number),
            lambda: self.gave_up.append(number),
            Kind.SUBMISSION,
            sender,
            batch_payload=number,
        )

    @property
    def done(self):
        return [number for batch in self.batches for number in batch]


@pytest.fixture
def gathering(monkeypatch):
    """A room of eight threads that handles one batch at a time, and its batch handler."""
    monkeypatch.setattr(turns, "MOST_BATCHES", 1)
    work = Work()
    room = ThreadPool(8, answer_batch=work)
    room.open()
    yield room, work
    work.goes_on.set()
    room.close()


def under_way(room, work, numbers, sizes=()):
    batch_turns = [work.turn(number) for number in numbers]
    for turn, size in zip(batch_turns, sizes, strict=False):
        turn.size = size
    room.join(batch_turns[0])
    assert work.begun.acquire(timeout=20)
    for turn in batch_turns[1:]:
        room.join(turn)


@pytest.mark.parametrize(
    ("name", "most", "sizes", "batches"),
    [
        ("MOST_TURNS_IN_BATCH", 3, [], [[0], [1, 2, 3], [4, 5, 6], [7]]),
        ("MOST_BYTES_IN_BATCH", 100, [0, 40, 60, 1, 200, 30, 70, 0], [[0], [1, 2], [3], [4], [5, 6, 7]]),
    ],
)
def test_a_batch_is_bounded(gathering, monkeypatch, name, most, sizes, batches):
    monkeypatch.setattr(turns, name, most)
    room, work = gathering
    under_way(room, work, range(8), sizes)
    work.goes_on.set()
    wait_until(lambda: len(work.done) == 8)
    assert work.batches == batches


@pytest.mark.parametrize(
    ("numbers", "alone"), [([0, 101, 1, 102], [101, 102]), ([0, 12, 13, 14], [12, 13, 14])], ids=["turns", "a batch"]
)
def test_turns_that_fail_in_a_batch_or_with_it_run_alone_and_the_next_batch_runs(gathering, numbers, alone):
    room, work = gathering
    under_way(room, work, numbers)
    work.goes_on.set()
    wait_until(lambda: len(work.alone) == len(alone))
    assert (work.batches, sorted(work.alone)) == ([numbers[:1], numbers[1:]], alone)
    room.join(work.turn(15))
    wait_until(lambda: work.batches[-1] == [15])


# The next turn goes to the sender with the least CPU time: first by region, then by network and by address in it.
FLOOD = "192.0.2.1"


def turns_of(sender, count=1):
    return [Turn(int, int, Kind.PAGE, sender) for _ in range(count)]


def served(shares, waiting, seconds, count):
    """Return the senders of the first *count* turns, if the turns of each sender take *seconds* by sender."""
    senders = []
    for _ in range(count):
        turn = shares.first(waiting)
        waiting.remove(turn)
        shares.serve(turn)
        shares.settle(turn, seconds[turn.sender])
        senders.append(turn.sender)
    return senders


@pytest.mark.parametrize("other", ["198.51.100.7", "192.0.2.9", "2001:db8::/64", ""])
def test_behind_130_of_one_sender_another_has_the_next_turn(other):
    shares, flood = Shares(), turns_of(FLOOD, 130)
    shares.serve(flood.pop())
    (last,) = turns_of(other)
    assert shares.first([*flood, last]) is last


def test_a_sender_of_expensive_requests_has_fewer_turns():
    waiting = turns_of(FLOOD, 40) + turns_of("198.51.100.7", 40)
    senders = served(Shares(), waiting, {FLOOD: 0.4, "198.51.100.7": 0.1}, 25)
    assert senders.count(FLOOD) == 5


@pytest.mark.parametrize("address", ["192.0.2.{}", "192.0.{}.1", "2001:db8:7:{:x}::/64", "2001:db8:{:x}::/64"])
def test_addresses_and_networks_of_one_region_have_one_share_together(address):
    crowd = [address.format(number) for number in range(30)]
    waiting = [turn for sender in crowd for turn in turns_of(sender)] + turns_of("198.51.100.7", 30)
    senders = served(Shares(), waiting, dict.fromkeys([*crowd, "198.51.100.7"], 0.1), 20)
    assert senders.count("198.51.100.7") == 10


def test_a_stream_of_new_senders_does_not_starve_an_earlier_sender():
    shares, reader = Shares(), "192.0.2.9"
    served(shares, turns_of(reader), {reader: 0.1}, 1)
    waiting, seconds = turns_of(reader), {reader: 0.1}
    for number in range(60):
        newcomer = f"{number}.0.0.1"
        waiting += turns_of(newcomer)
        if number >= 20:
            served(shares, waiting, seconds | {one.sender: 0.1 for one in waiting}, 1)
    assert not any(one.sender == reader for one in waiting)
