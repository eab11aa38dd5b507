"""Turns that run beside each other: all threads share the GIL, so each running turn slows down the others.

Short turns run one after the other. Once a turn has run for SHORT_SECONDS, the next one begins beside it, so that long
pages delay no short one by more. A region cannot occupy all places: there is always one for a second region.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Container, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from contest.front.doors import Kind

# Seconds of processor time; and the most long turns of a region, and regions with long turns, at a time.
SHORT_SECONDS = 0.1
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

    While it *rests*, it holds nobody back: it only sleeps (`resting`), or it is a batch.
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
        seconds = time.monotonic() - self._began_at
        return not self.rests and (seconds < GRACE_SECONDS or self._used_seconds >= _LEAST_PART * seconds)

    @property
    def is_short(self) -> bool:
        """Return True until it has used SHORT_SECONDS of the processor."""
        return self._used_seconds < SHORT_SECONDS

    @property
    def _used_seconds(self) -> float:
        if not hasattr(time, "pthread_getcpuclockid"):
            return 0.0
        return time.clock_gettime(time.pthread_getcpuclockid(self._thread)) - self._cpu_began_at


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

    def closed(self) -> Mapping[Kind, Regions]:
        """Return the regions that may not begin a turn now, by kind; {} if no region may."""
        busy = [run for run in self._running if run.is_busy]
        regions = Counter(run.region for run in busy)
        if len(regions) >= MOST_BUSY or any(run.is_short for run in busy):
            return {}
        counts = Counter((run.kind, run.region) for run in self._running if not run.rests)
        full = [(kind, region) for (kind, region), count in counts.items() if count >= self._most[kind]]
        full += [(kind, region) for kind in self._most for region, count in regions.items() if count >= MOST_BUSY]
        return {kind: {region for its, region in full if its is kind} - {""} for kind in self._most}

    def enter(self, kind: Kind, region: str, *, rests: bool = False) -> Run:
        """Begin a turn in the current thread."""
        run = Run(kind, region, rests)
        self._running.append(run)
        return run

    def leave(self, run: Run) -> None:
        self._running.remove(run)
