"""Advisory locks, not tied to a row and held until the transaction ends; and transactions that wait for no lock."""

from enum import IntEnum

from django.db import connection
from psycopg.errors import LockNotAvailable


class Turn(IntEnum):
    """Locks, each held by one transaction at a time. The numbers are arbitrary but equal in all processes."""

    CALENDAR = 20_600  # scheduling rounds (rule 2.6)
    EVENTS = 5_300  # numbering events
    PLACES = 5_910  # rows of strangers that wait, each within the share of its network (rule 5.9)
    RATINGS = 22_100  # each rating depends on all earlier ones (rule 22.1)
    WITNESS = 24_201  # countersigning another site's checkpoint (rule 24.2)


def take(turn: Turn) -> None:
    """Wait for the lock *turn* and hold it. On SQLite a writing transaction already excludes all others."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(turn)])


def do_not_wait() -> None:
    """Let this transaction fail where it would have to wait for a lock of another one (`is_locked`)."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '1ms'")


def is_locked(error: object) -> bool:
    """Return whether *error* was raised because a lock was not available in time."""
    return isinstance(error, Exception) and isinstance(error.__cause__, LockNotAvailable)
