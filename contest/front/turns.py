"""The threads of one web process, and who waits for one: bounded, in turns, and never for long."""

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, takewhile
from threading import Condition, Lock, Thread
from typing import Any

from contest.front.doors import Kind
from contest.front.shares import Shares, network_of

log = logging.getLogger(__name__)

# Of ten turns, while all three wait; nobody takes all, so a flood of one starves no other.
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
# How many may wait of each kind, and for how long: whoever would wait longer is told so at once.
MOST_WAITING = {Kind.STATIC: 1_000, Kind.SUBMISSION: 400, Kind.PAGE: 200, Kind.FILM: 50}
MOST_SECONDS = 10.0
# What one network may have waiting of a kind, as a part of all.
PART_OF_ONE = 2
# Which part of the threads one network may have for anything but submissions: all threads share one interpreter, so
# what runs beside a page makes it as many times slower.
THREADS_OF_ONE = 8
_LEAST_THREADS = 2
# How many turns that gather one thread takes at most, of how many bytes together, and how long they wait behind one
# that comes to no end. The dearest texts of so many bytes are read within a quarter of a second.
MOST_TOGETHER = 32
MOST_BYTES_TOGETHER = 262_144
# How many batches at a time: a second would make both smaller, and each waits for the other's Python.
BATCHES = 1
PATIENCE_SECONDS = 2.0


class Full(Exception):
    """No turn within reason: come again later."""


@dataclass(eq=False)
class Turn:
    """One who waits: what is to be done, and what is told to who cannot wait any longer."""

    work: Callable[[], None]
    give_up: Callable[[], None]
    kind: Kind
    sender: str
    # What is told of it to who does together what waits of such, one thread at a time; None of what does not gather.
    gathers: Any = None
    size: int = 0  # of its body, in bytes
    sleeps: bool = False  # in its thread, which then slows nobody down
    came: float = field(default_factory=time.monotonic)

    @cached_property
    def network(self) -> str:
        return network_of(self.sender)

    @property
    def is_bounded(self) -> bool:
        """Whether its network has a part of the threads for such turns; an unknown sender may be everybody."""
        return self.kind is not Kind.SUBMISSION and bool(self.sender) and not self.sleeps


class Room:
    """Threads that work for those who wait, in the order of *turns*; among turns of one kind as `shares` has it.

    Who lay down to rest last gets up first: each thread has a database connection of its own with all that it keeps,
    so a room that is seldom full needs the memory of the few threads that work, not of all.

    Of turns that gather one thread takes what came while the last were done: a lonely one waits for nobody, there is no
    timer, and under load the batches grow by themselves. *together* does their work and says which it did; the others
    are worked for by themselves, and so are all where it fails.
    """

    def __init__(
        self,
        threads: int,
        turns: Sequence[Kind] = TURNS,
        together: Callable[[Sequence[Any]], Sequence[bool]] = lambda those: [False] * len(those),
    ) -> None:
        self._turns = turns
        self._together = together
        self._gathered = 0  # batches that are being done
        self._is_called = False  # a thread, for turns that gather, which it has not taken yet
        self._waiting: dict[Kind, deque[Turn]] = {kind: deque() for kind in turns}
        self._of: Counter[tuple[Kind, str]] = Counter()
        self._shares = {kind: Shares() for kind in turns}
        self._running: Counter[tuple[Kind, str]] = Counter()
        self._most_of_one = max(_LEAST_THREADS, threads // THREADS_OF_ONE)
        self._next = 0
        self._is_open = True
        self._lock = Lock()
        self._resting: list[Condition] = []
        self._threads = [
            Thread(target=self._serve, name=f"{turns[0]} {number}", daemon=True) for number in range(threads)
        ]

    def open(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Finish what is under way; who still waits is told to come again."""
        with self._lock:
            self._is_open = False
            left = [turn for waiting in self._waiting.values() for turn in waiting]
            self._wake(len(self._resting))
        for turn in left:
            turn.give_up()
        for thread in self._threads:
            thread.join(20)

    def join(self, turn: Turn) -> None:
        """Wait for a thread; raise Full where too many do."""
        with self._lock:
            waiting, most = self._waiting[turn.kind], MOST_WAITING[turn.kind]
            mine = (turn.kind, turn.network)
            if not self._is_open or (turn.sender and self._of[mine] >= most // PART_OF_ONE):
                raise Full
            if len(waiting) >= most:
                self._make_room(turn)
            waiting.append(turn)
            self._of[mine] += 1
            if turn.gathers is None:
                self._wake()
            else:
                self._call_for_those_who_gather()

    def _make_room(self, turn: Turn) -> None:
        """Send the newest turn of the network that has most waiting away; raise Full where *turn*'s would have more."""
        waiting = self._waiting[turn.kind]
        ((network, count),) = Counter(other.network for other in waiting).most_common(1)
        if count <= self._of[turn.kind, turn.network] + 1:
            raise Full
        last = next(other for other in reversed(waiting) if other.network == network)
        self._remove(last)
        if last.gathers is not None:
            self._is_called = False  # the thread may have been called for this one alone
        last.give_up()

    def _remove(self, turn: Turn) -> None:
        self._waiting[turn.kind].remove(turn)
        self._of[turn.kind, turn.network] -= 1
        if not self._of[turn.kind, turn.network]:
            del self._of[turn.kind, turn.network]

    def look_again(self) -> None:
        """Somebody's patience has come to an end."""
        with self._lock:
            self._wake()

    def _serve(self) -> None:
        rest = Condition(self._lock)
        while turns := self._take(rest):
            now, began = time.monotonic(), time.thread_time()
            for turn in turns:
                if now - turn.came > MOST_SECONDS:
                    turn.give_up()
            in_time = [turn for turn in turns if now - turn.came <= MOST_SECONDS]
            if turns[0].gathers is None:
                for turn in in_time:
                    turn.work()
            else:
                self._work_together(in_time)
            self._settle(turns, (time.thread_time() - began) / len(turns))

    def _settle(self, turns: Sequence[Turn], seconds: float) -> None:
        with self._lock:
            for turn in turns:
                self._shares[turn.kind].settle(turn, seconds)
                if turn.is_bounded:
                    self._leave(turn.kind, turn.network)

    def _leave(self, kind: Kind, network: str) -> None:
        if self._running[kind, network] == self._most_of_one:
            self._wake()  # for a turn that waited for this one: the thread that ends here may take another
        self._running[kind, network] -= 1
        if not self._running[kind, network]:
            del self._running[kind, network]

    def _work_together(self, turns: Sequence[Turn]) -> None:
        try:
            are_done = self._together([turn.gathers for turn in turns])
        except Exception:
            log.exception("Those who had gathered go on alone")
            are_done = [False] * len(turns)
        with self._lock:
            self._gathered -= 1
            self._join_alone([turn for turn, is_done in zip(turns, are_done, strict=True) if not is_done])

    def _join_alone(self, turns: Sequence[Turn]) -> None:
        """Let *turns* wait once more, each for a thread of its own, before all who came later."""
        for turn in reversed(turns):
            turn.gathers = None
            self._waiting[turn.kind].appendleft(turn)
            self._of[turn.kind, turn.network] += 1
        self._wake(len(turns))

    def _take(self, rest: Condition) -> list[Turn]:
        """Have a *rest* until it is somebody's turn, and of all who gather with them; [] when the room closes."""
        with self._lock:
            while self._is_open:
                for step in range(len(self._turns)):
                    kind = self._turns[(self._next + step) % len(self._turns)]
                    if turns := self._next_of(kind):
                        self._next = (self._next + step + 1) % len(self._turns)
                        self._call_for_those_who_gather()
                        return turns
                self._resting.append(rest)
                rest.wait()
            return []

    def _next_of(self, kind: Kind) -> list[Turn]:
        waiting, shares = self._waiting[kind], self._shares[kind]
        first = shares.first(turn for turn in waiting if not self._is_kept_back(turn))
        if first is None:
            return []
        turns = [first]
        if first.gathers is not None:
            turns = _as_many_as_may(shares.in_order(turn for turn in waiting if turn.gathers is not None))
            self._gathered += 1
            self._is_called = False
        for turn in turns:
            self._remove(turn)
            shares.serve(turn)
            if turn.is_bounded:
                self._running[kind, turn.network] += 1
        return turns

    def _wake(self, most: int = 1) -> None:
        for _ in range(min(most, len(self._resting))):
            self._resting.pop().notify()

    def _call_for_those_who_gather(self) -> None:
        """Let a thread come for turns that gather and need not rest; whoever does them takes what comes meanwhile."""
        if self._is_called or self._gathered >= BATCHES:
            return
        if any(turn.gathers is not None for waiting in self._waiting.values() for turn in waiting):
            self._is_called = True
            self._wake()

    def _is_kept_back(self, turn: Turn) -> bool:
        """Whether it waits for those that are done together now, or for others of its own network."""
        if turn.is_bounded and self._running[turn.kind, turn.network] >= self._most_of_one:
            return True
        are_enough = turn.gathers is not None and self._gathered >= BATCHES
        return are_enough and time.monotonic() - turn.came < PATIENCE_SECONDS


def _as_many_as_may(turns: Sequence[Turn]) -> list[Turn]:
    """The first of *turns*, and those behind it that are not too many and not too large with it."""
    so_far = accumulate(turn.size for turn in turns)
    fit = sum(1 for _ in takewhile(lambda size: size <= MOST_BYTES_TOGETHER, so_far))
    return list(turns[: max(1, min(fit, MOST_TOGETHER))])
