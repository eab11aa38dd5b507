"""Work beside one's own, in a thread that has a connection of its own."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, Self, TypeVar

from django.db import connection

log = logging.getLogger(__name__)

T = TypeVar("T")


class Beside(Generic[T]):
    """One piece of work at a time, asked for later what came of it; thread and connection end with the block."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._work: Future[T] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        if self._thread is not None:
            self._thread.submit(_hang_up)
            self._thread.shutdown()
        if self._work is not None and (error := self._work.exception()):  # something else was raised first
            log.error("What was done beside failed", exc_info=error)

    @staticmethod
    def is_possible() -> bool:
        """Not where one writes at a time, nor in a transaction, which another connection does not see."""
        return connection.vendor == "postgresql" and not connection.in_atomic_block

    def begin(self, work: Callable[[], T]) -> None:
        """Do *work*; what was begun before has been asked for."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="beside")
        self._work = self._thread.submit(work)

    def finish(self) -> T | None:
        """What came of the work since this was asked, None where there was none; raise what it raised."""
        work, self._work = self._work, None
        return work.result() if work else None


def _hang_up() -> None:
    """Close the connection of this thread."""
    connection.close()
