"""Turns that run beside each other: all threads share the GIL, so each running turn slows down the others.

A region runs one turn at a time, and before its next one it waits for those of others that began meanwhile. So an
honest page shares the processor with one page of a flood, at most to the end of that page.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Container, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from contest.front.doors import Kind

# Turns that run at a time, all regions together.
MOST_BUSY = 2
# A turn that has run for so long and mostly waited, for the database or a lock, makes no other one wait.
GRACE_SECONDS = 0.25
_LEAST_PART = 0.1

# A page or verdict waits some twenty times for the database, and each time for the running thread to yield the GIL.
_SWITCH_SECONDS = 0.000_5

# The regions that may not begin a turn; None: no region may.
Regions = Container[str] | None

_local = threading.local()


@dataclass(eq=False)
class Run:
    """A turn that runs in the current thread, or a batch; *region* is "" if unknown or several.

    While it *rests*, it only sleeps (`resting`).
    """

    kind: Kind
    region: str
    rests: bool = False
    _began_at: float = field(default_factory=time.monotonic)
    _cpu_began_at: float = field(default_factory=time.thread_time)
    _thread: int = field(default_factory=threading.get_ident)

    @property
    def is_busy(self) -> bool:
        """Return False if it mostly waits. If the system does not say, that is assumed after GRACE_SECONDS."""
        if self.rests:
            return False
        seconds = time.monotonic() - self._began_at
        if seconds < GRACE_SECONDS:
            return True
        if not hasattr(time, "pthread_getcpuclockid"):
            return False
        clock = time.pthread_getcpuclockid(self._thread)
        return time.clock_gettime(clock) - self._cpu_began_at >= _LEAST_PART * seconds


def switch_threads_often() -> None:
    sys.setswitchinterval(_SWITCH_SECONDS)


def set_rest(rest: Callable[[], AbstractContextManager[None]]) -> None:
    """Have *rest* entered while the current thread's turn rests."""
    _local.rest = rest


def resting() -> AbstractContextManager[None]:
    """While the turn of the current thread only sleeps, let its region run others. The caller bounds their number."""
    rest: Callable[[], AbstractContextManager[None]] = getattr(_local, "rest", nullcontext)
    return rest()


class Slots:
    """The running turns of one pool, which holds its lock; *most* is the limit of a region's turns by kind."""

    def __init__(self, most: Mapping[Kind, int]) -> None:
        self._most = most
        self._running: list[Run] = []
        self._awaited: dict[str, set[Run]] = {}

    def closed(self) -> Mapping[Kind, Regions]:
        """Return the regions that may not begin a turn now, by kind; {} if no region may."""
        busy = {run for run in self._running if run.is_busy}
        if len(busy) >= MOST_BUSY:
            return {}
        running, counts = set(self._running), Counter((run.kind, run.region) for run in self._running if not run.rests)
        self._awaited = {region: runs for region, runs in self._awaited.items() if not runs.isdisjoint(running)}
        waiting = {region for region, runs in self._awaited.items() if not runs.isdisjoint(busy)}
        closed = waiting | {run.region for run in busy}
        full = [(kind, region) for (kind, region), count in counts.items() if count >= self._most[kind]]
        return {kind: (closed | {region for its, region in full if its is kind}) - {""} for kind in self._most}

    def enter(self, kind: Kind, region: str) -> Run:
        """Begin a turn in the current thread."""
        run = Run(kind, region)
        self._running.append(run)
        return run

    def leave(self, run: Run) -> None:
        """End *run*: its region waits for the turns of others that began after it."""
        place = self._running.index(run)
        self._awaited[run.region] = {other for other in self._running[place:] if other.region != run.region}
        del self._running[place]
