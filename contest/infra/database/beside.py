"""Background work in a thread with its own database connection."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, Self, TypeVar

from django.db import connection

log = logging.getLogger(__name__)

T = TypeVar("T")


class Beside(Generic[T]):
    """Run one background task at a time and collect its result later; thread and connection end with the block."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._work: Future[T] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        if self._thread is not None:
            self._thread.submit(_hang_up)
            self._thread.shutdown()
        if self._work is not None and (error := self._work.exception()):  # another exception is already being raised
            log.error("What was done beside failed", exc_info=error)

    @staticmethod
    def is_possible() -> bool:
        """Return False on SQLite (single writer) and inside a transaction, which another connection cannot see."""
        return connection.vendor == "postgresql" and not connection.in_atomic_block

    def begin(self, work: Callable[[], T]) -> None:
        """Start *work*; the result of the previous task must have been collected."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="beside")
        self._work = self._thread.submit(work)

    def finish(self) -> T | None:
        """Return the result of the task begun since the last call, None if there is none; raise its exception."""
        work, self._work = self._work, None
        return work.result() if work else None


def _hang_up() -> None:
    """Close this thread's connection."""
    connection.close()
