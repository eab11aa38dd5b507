"""The only module that reads the current time. Tests and simulations may set it; nothing else may (rule 3.3)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection

_set_to: datetime | None = None
# No request, and no batch of a job, takes longer.
_LONGEST_ACT = timedelta(minutes=2)
# By time.monotonic(); None outside the web server.
_arrived_at: ContextVar[float | None] = ContextVar("arrived_at", default=None)


def now() -> datetime:
    """Return the current time in UTC by this machine's clock."""
    return _set_to or datetime.now(UTC)


def is_set() -> bool:
    """Return whether the clock is stopped for a test or a simulation."""
    return _set_to is not None


def now_at_database() -> datetime:
    """Return the time in UTC by the database's clock, which all web processes share; on SQLite by this machine's.

    Read it before the accepting transaction waits for any lock, so that waiting never makes a submission late.
    """
    if _set_to or connection.vendor != "postgresql":
        return now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at.astimezone(UTC)


def note_arrival(at: float) -> None:
    """Note that the request that this thread now answers was complete *at* a time of `time.monotonic`."""
    _arrived_at.set(at)


def seconds_waited() -> float:
    """Return the seconds since the request that this thread answers was complete; it waited for the thread."""
    return 0.0 if (at := _arrived_at.get()) is None else time.monotonic() - at


def received_at() -> datetime:
    """Return the time by the database's clock at which the request that this thread answers was complete (rule 3.3)."""
    return now_at_database() - timedelta(seconds=seconds_waited())


def after_waiting(at: datetime) -> datetime:
    """Return the present time for *at*, when the current act began; read it once the act has its locks.

    What may be done only before a deadline may otherwise be done after it. A time of another act stays as it is.
    """
    present = now_at_database()
    return max(at, present) if present - at < _LONGEST_ACT else at


def sql_at_database(later: timedelta = timedelta(0)) -> tuple[str, list[Any]]:
    """Return `now_at_database` plus *later* as an SQL expression and its parameters, for use within a statement.

    On PostgreSQL this is the time at which the server received the statement.
    """
    if _set_to or connection.vendor != "postgresql":
        return "%s", [connection.ops.adapt_datetimefield_value(now_at_database() + later)]
    return f"(statement_timestamp() + interval '{later.total_seconds()} seconds')", []


@contextmanager
def set_to(at: datetime) -> Iterator[None]:
    """Stop the clock at *at*, in this process."""
    global _set_to  # noqa: PLW0603 - one clock for the whole process is the point
    before, _set_to = _set_to, at
    try:
        yield
    finally:
        _set_to = before
