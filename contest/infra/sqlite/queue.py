"""Queue of SQLite writers: one at a time, first come first served, with a bounded wait.

SQLite's writers retry after pauses of their own: of fifty, some succeed ten times and some never.
Here the threads of a process wait in a queue, and the first of each queue waits for the other processes. Two locked
files beside the database order the processes: `next` in line, and the writer. So a process that has just written
queues behind one that waits, and a killed process loses its place automatically.
"""

import fcntl
import os
import time
from collections import deque
from pathlib import Path
from threading import Event, Lock

# Longest wait, and a shorter one after a timeout in the last seconds, so that a request with several transactions
# does not wait the full time for each.
PATIENCE_SECONDS = 3.0
STUCK_PATIENCE_SECONDS = 0.2
_STUCK_SECONDS = 2.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.0002, 0.005


class QueueTimeout(Exception):
    """The wait for a turn to write timed out."""


class Queue:
    """Queue of writers to the database *path*, shared by all threads of a process."""

    def __init__(self, path: Path) -> None:
        self._paths = [path.with_name(f"{path.name}.{name}") for name in ("next", "lock")]
        self._files: list[int] = []
        self._guard = Lock()
        self._is_taken = False
        self._waiting: deque[Event] = deque()
        self._failed_at = -_STUCK_SECONDS

    @property
    def is_stuck(self) -> bool:
        """Return whether a wait timed out in the last seconds and nothing has been written since."""
        return time.monotonic() - self._failed_at < _STUCK_SECONDS

    def enter(self) -> None:
        """Wait for this thread's turn to write; raise TooLong."""
        deadline = time.monotonic() + (STUCK_PATIENCE_SECONDS if self.is_stuck else PATIENCE_SECONDS)
        self._enter_process(deadline)
        try:
            self._enter_machine(deadline)
        except BaseException:
            self._leave_process()
            raise

    def leave(self, *, has_written: bool = True) -> None:
        """Let the next writer write. *has_written*: whether the database accepted this one's transaction."""
        if has_written:
            self._failed_at = -_STUCK_SECONDS
        else:
            self._failed_at = time.monotonic()
        fcntl.flock(self._files[1], fcntl.LOCK_UN)
        self._leave_process()

    def _enter_process(self, deadline: float) -> None:
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return
            turn = Event()
            self._waiting.append(turn)
        if turn.wait(max(0.0, deadline - time.monotonic())):
            return
        with self._guard:
            if turn.is_set():  # the turn came just now
                return
            self._waiting.remove(turn)
        raise self._too_long()

    def _leave_process(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False

    def _enter_machine(self, deadline: float) -> None:
        if not self._files:
            self._files = [os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) for path in self._paths]
        is_next, writes = self._files
        self._lock(is_next, deadline)
        try:
            self._lock(writes, deadline)
        finally:
            fcntl.flock(is_next, fcntl.LOCK_UN)

    def _lock(self, file: int, deadline: float) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise self._too_long() from None
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return

    def _too_long(self) -> QueueTimeout:
        self._failed_at = time.monotonic()
        return QueueTimeout("database is locked")


_queues: dict[Path, Queue] = {}
_queues_lock = Lock()


def queue_of(path: Path) -> Queue:
    """Return this process's queue for the database *path*."""
    with _queues_lock:
        return _queues.setdefault(path, Queue(path))


# A child must share neither the queue nor the file locks of its parent.
os.register_at_fork(after_in_child=_queues.clear)
