"""The threads of one web process, and who waits for one: bounded, in turns, and never for long."""

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread

from contest.front.doors import Kind

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
# What one address may have waiting of a kind, as a part of all.
PART_OF_ONE = 2


class Full(Exception):
    """No turn within reason: come again later."""


@dataclass
class Turn:
    """One who waits: what is to be done, and what is told to who cannot wait any longer."""

    work: Callable[[], None]
    give_up: Callable[[], None]
    kind: Kind
    sender: str
    came: float = field(default_factory=time.monotonic)


class Room:
    """Threads that work for those who wait, in the order of *turns*."""

    def __init__(self, threads: int, turns: Sequence[Kind] = TURNS) -> None:
        self._turns = turns
        self._waiting: dict[Kind, deque[Turn]] = {kind: deque() for kind in turns}
        self._of: Counter[tuple[Kind, str]] = Counter()
        self._next = 0
        self._is_open = True
        self._changed = Condition()
        self._threads = [
            Thread(target=self._serve, name=f"{turns[0]} {number}", daemon=True) for number in range(threads)
        ]

    def open(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Finish what is under way; who still waits is told to come again."""
        with self._changed:
            self._is_open = False
            left = [turn for waiting in self._waiting.values() for turn in waiting]
            self._changed.notify_all()
        for turn in left:
            turn.give_up()
        for thread in self._threads:
            thread.join(20)

    def join(self, turn: Turn) -> None:
        """Wait for a thread; raise Full where too many do."""
        with self._changed:
            waiting, most = self._waiting[turn.kind], MOST_WAITING[turn.kind]
            mine = (turn.kind, turn.sender)
            if not self._is_open or len(waiting) >= most or (turn.sender and self._of[mine] >= most // PART_OF_ONE):
                raise Full
            waiting.append(turn)
            self._of[mine] += 1
            self._changed.notify()

    def _serve(self) -> None:
        while turn := self._take():
            if time.monotonic() - turn.came > MOST_SECONDS:
                turn.give_up()
            else:
                turn.work()

    def _take(self) -> Turn | None:
        """Wait for whoever's turn it is; None when the room closes."""
        with self._changed:
            while self._is_open:
                for step in range(len(self._turns)):
                    kind = self._turns[(self._next + step) % len(self._turns)]
                    if self._waiting[kind]:
                        self._next = (self._next + step + 1) % len(self._turns)
                        return self._left(kind)
                self._changed.wait()
            return None

    def _left(self, kind: Kind) -> Turn:
        turn = self._waiting[kind].popleft()
        self._of[kind, turn.sender] -= 1
        if not self._of[kind, turn.sender]:
            del self._of[kind, turn.sender]
        return turn
