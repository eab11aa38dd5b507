"""The thread pool of one web process and its bounded, fair queue with a timeout."""

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate, takewhile
from operator import attrgetter
from threading import Condition, Lock, Thread
from typing import Any

from contest.front.doors import Kind
from contest.front.shares import Shares, network_of, region_of
from contest.front.slots import Regions, Run, Slots, set_rest

log = logging.getLogger(__name__)

# The order of ten turns while all three kinds wait; a flood of one kind cannot starve another.
TURNS = (
    Kind.SUBMISSION,
    Kind.PAGE,
    Kind.SUBMISSION,
    Kind.SUBMISSION,
    Kind.PAGE,
    Kind.SUBMISSION,
    Kind.FILM,
    Kind.SUBMISSION,
    Kind.PAGE,
    Kind.SUBMISSION,
)
# Queue length per kind, and the longest wait in seconds; a request beyond either is refused.
MOST_WAITING = {Kind.STATIC: 1_000, Kind.SUBMISSION: 400, Kind.PAGE: 200, Kind.FILM: 50}
MOST_SECONDS = 10.0
# One region may use 1/QUEUE_DIVISOR_PER_REGION of each kind's queue.
QUEUE_DIVISOR_PER_REGION = 2
# One region may use so small a part of the threads for each kind, even if its turns mostly wait (`slots`).
THREAD_DIVISORS_PER_REGION = {Kind.SUBMISSION: 2, Kind.PAGE: 8, Kind.FILM: 8}
_LEAST_THREADS = 2
# Limits of a batch: its turns and bytes, and how long turns wait behind a batch that does not finish. Even the most
# expensive texts of so many bytes are parsed within a quarter of a second.
MOST_TURNS_IN_BATCH = 32
MOST_BYTES_IN_BATCH = 262_144
# Concurrent batches: a second one would make both smaller, and they would wait for each other's GIL.
MOST_BATCHES = 1
PATIENCE_SECONDS = 2.0
# While turns are held back, an idle thread looks again after so long: a running one may have begun to wait.
_LOOK_SECONDS = 0.1


class Full(Exception):
    """The request cannot be served in time; the client must retry later."""


@dataclass(eq=False)
class Turn:
    """A queued request: its work, and the callback if it waited too long."""

    work: Callable[[], None]
    give_up: Callable[[], None]
    kind: Kind
    sender: str
    door: str = ""  # The URL without its numbers
    # Opaque payload for the batch handler; None if this request cannot be batched.
    batch_payload: Any = None
    size: int = 0  # of its body, in bytes
    arrived_at: float = field(default_factory=time.monotonic)

    @cached_property
    def region(self) -> str:
        return region_of(self.sender)

    @cached_property
    def network(self) -> str:
        return network_of(self.sender)


class ThreadPool:
    """A thread pool that serves kinds in the order of *turns*, and turns of one kind in the order of `shares`.

    Idle threads wake in LIFO order: each thread has its own database connection with its caches, so a lightly loaded
    pool needs only the memory of the few active threads.

    One thread takes all batchable turns that arrived during the previous batch: a single turn does not wait, there is
    no timer, and batches grow under load. *answer_batch* handles a batch and returns which turns it did; the others run
    separately, and so do all of them if it raises.
    """

    def __init__(
        self,
        threads: int,
        turns: Sequence[Kind] = TURNS,
        answer_batch: Callable[[Sequence[Any]], Sequence[bool]] = lambda payloads: [False] * len(payloads),
    ) -> None:
        self._turns = turns
        self._answer_batch = answer_batch
        self._running_batches = 0
        self._is_woken_for_batch = False  # True while a thread was woken for a batch and has not taken it yet
        self._waiting: dict[Kind, deque[Turn]] = {kind: deque() for kind in turns}
        self._queued: Counter[tuple[Kind, str]] = Counter()
        self._shares = {kind: Shares() for kind in turns}
        self._slots = Slots(
            {kind: max(_LEAST_THREADS, threads // THREAD_DIVISORS_PER_REGION.get(kind, 1)) for kind in turns}
        )
        self._next_step = 0
        self._is_open = True
        self._lock = Lock()
        self._idle: list[Condition] = []
        self._lookouts = 0  # Idle threads that look again for turns that are held back
        self._threads = [
            Thread(target=self._serve, name=f"{turns[0]} {number}", daemon=True) for number in range(threads)
        ]

    def open(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Finish the running turns and refuse the waiting ones."""
        with self._lock:
            self._is_open = False
            left = [turn for waiting in self._waiting.values() for turn in waiting]
            self._wake(len(self._idle))
        for turn in left:
            turn.give_up()
        for thread in self._threads:
            thread.join(20)

    def join(self, turn: Turn) -> None:
        """Queue *turn* for a thread; raise Full if the queue or the region's part of it is full."""
        with self._lock:
            waiting, most = self._waiting[turn.kind], MOST_WAITING[turn.kind]
            account = (turn.kind, turn.region)
            if not self._is_open or (turn.sender and self._queued[account] >= most // QUEUE_DIVISOR_PER_REGION):
                raise Full
            if len(waiting) >= most:
                self._make_room(turn)
            waiting.append(turn)
            self._queued[account] += 1
            if turn.batch_payload is None:
                self._wake()
            else:
                self._wake_for_batch()

    def _make_room(self, turn: Turn) -> None:
        """Refuse the newest turn of the region with most waiting; raise Full if *turn*'s would then have as many.

        If all regions have few, the same is done by door: a flood from everywhere asks for some expensive pages.
        """
        last = self._last_of_most(turn, attrgetter("region")) or self._last_of_most(turn, attrgetter("door"))
        if last is None:
            raise Full
        self._remove(last)
        if last.batch_payload is not None:
            self._is_woken_for_batch = False  # The thread may have been woken only for this turn.
        last.give_up()

    def _last_of_most(self, turn: Turn, name_of: Callable[[Turn], str]) -> Turn | None:
        """Return the newest turn of the name with most waiting, None if *turn*'s name would then have as many."""
        waiting = self._waiting[turn.kind]
        counts = Counter(map(name_of, waiting))
        ((most, count),) = counts.most_common(1)
        if count <= counts[name_of(turn)] + 1:
            return None
        return next(other for other in reversed(waiting) if name_of(other) == most)

    def _remove(self, turn: Turn) -> None:
        self._waiting[turn.kind].remove(turn)
        self._queued[turn.kind, turn.region] -= 1
        if not self._queued[turn.kind, turn.region]:
            del self._queued[turn.kind, turn.region]

    def wake_thread(self) -> None:
        """Wake a thread: a batchable turn has waited for PATIENCE_SECONDS."""
        with self._lock:
            self._wake()

    def _serve(self) -> None:
        wakeup = Condition(self._lock)
        while taken := self._take(wakeup):
            turns, run = taken
            now, began = time.monotonic(), time.thread_time()
            for turn in turns:
                if now - turn.arrived_at > MOST_SECONDS:
                    turn.give_up()
            in_time = [turn for turn in turns if now - turn.arrived_at <= MOST_SECONDS]
            if turns[0].batch_payload is None:
                set_rest(partial(self._rest, run))
                for turn in in_time:
                    turn.work()
            else:
                self._work_batch(in_time)
            self._settle(turns, run, (time.thread_time() - began) / len(turns))

    def _settle(self, turns: Sequence[Turn], run: Run, seconds: float) -> None:
        with self._lock:
            for turn in turns:
                self._shares[turn.kind].settle(turn, seconds)
            self._slots.leave(run)
            self._wake_held_back()  # The current thread may take another turn.

    @contextmanager
    def _rest(self, run: Run) -> Iterator[None]:
        with self._lock:
            run.rests = True
            self._wake_held_back()
        try:
            yield
        finally:
            run.rests = False

    def _wake_held_back(self) -> None:
        if any(self._waiting.values()):
            self._wake()

    def _work_batch(self, turns: Sequence[Turn]) -> None:
        try:
            are_done = self._answer_batch([turn.batch_payload for turn in turns])
        except Exception:
            log.exception("A batch failed; its requests are answered one by one")
            are_done = [False] * len(turns)
        with self._lock:
            self._running_batches -= 1
            self._queue_unbatched([turn for turn, is_done in zip(turns, are_done, strict=True) if not is_done])

    def _queue_unbatched(self, turns: Sequence[Turn]) -> None:
        """Queue *turns* again, unbatched, ahead of all later turns."""
        for turn in reversed(turns):
            turn.batch_payload = None
            self._waiting[turn.kind].appendleft(turn)
            self._queued[turn.kind, turn.region] += 1
        self._wake(len(turns))

    def _take(self, wakeup: Condition) -> tuple[list[Turn], Run] | None:
        """Wait on *wakeup* for the next turn, or batch of turns, and return it; return None when the pool closes."""
        with self._lock:
            while self._is_open:
                closed = self._slots.closed()
                for step in range(len(self._turns)):
                    kind = self._turns[(self._next_step + step) % len(self._turns)]
                    if turns := self._next_turns_of(kind, closed.get(kind)):
                        self._next_step = (self._next_step + step + 1) % len(self._turns)
                        run = self._enter(kind, turns)
                        self._wake_for_batch()
                        if any(self._waiting.values()) and not self._lookouts:
                            self._wake()
                        return turns, run
                self._wait(wakeup)
            return None

    def _enter(self, kind: Kind, turns: Sequence[Turn]) -> Run:
        is_batch = turns[0].batch_payload is not None
        return self._slots.enter(kind, "" if is_batch else turns[0].region, rests=is_batch)

    def _wait(self, wakeup: Condition) -> None:
        """Wait until woken; while turns are held back, for _LOOK_SECONDS at most."""
        is_lookout = any(self._waiting.values())
        self._lookouts += is_lookout
        self._idle.append(wakeup)
        if not wakeup.wait(_LOOK_SECONDS if is_lookout else None) and wakeup in self._idle:
            self._idle.remove(wakeup)
        self._lookouts -= is_lookout

    def _next_turns_of(self, kind: Kind, closed: Regions) -> list[Turn]:
        waiting, shares = self._waiting[kind], self._shares[kind]
        first = shares.first(turn for turn in waiting if not self._is_held_back(turn, closed))
        if first is None:
            return []
        turns = [first]
        if first.batch_payload is not None:
            turns = _first_batch(shares.in_order(turn for turn in waiting if turn.batch_payload is not None))
            self._running_batches += 1
            self._is_woken_for_batch = False
        for turn in turns:
            self._remove(turn)
            shares.serve(turn)
        return turns

    def _wake(self, most: int = 1) -> None:
        for _ in range(min(most, len(self._idle))):
            self._idle.pop().notify()

    def _wake_for_batch(self) -> None:
        """Wake a thread for waiting batchable turns, unless one was woken already or enough batches are running."""
        if self._is_woken_for_batch or self._running_batches >= MOST_BATCHES:
            return
        if any(turn.batch_payload is not None for waiting in self._waiting.values() for turn in waiting):
            self._is_woken_for_batch = True
            self._wake()

    def _is_held_back(self, turn: Turn, closed: Regions) -> bool:
        """Return True if *turn* must wait for the running batch, or for other running turns."""
        if turn.batch_payload is None:
            return closed is None or turn.region in closed
        are_enough = self._running_batches >= MOST_BATCHES
        return are_enough and time.monotonic() - turn.arrived_at < PATIENCE_SECONDS


def _first_batch(turns: Sequence[Turn]) -> list[Turn]:
    """Return the first of *turns* and as many of the following as fit into a batch."""
    so_far = accumulate(turn.size for turn in turns)
    fit = sum(1 for _ in takewhile(lambda size: size <= MOST_BYTES_IN_BATCH, so_far))
    return list(turns[: max(1, min(fit, MOST_TURNS_IN_BATCH))])
