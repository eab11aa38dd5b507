"""Advisory locks, not tied to a row and held until the transaction ends."""

from enum import IntEnum

from django.db import connection


class Turn(IntEnum):
    """Locks, each held by one transaction at a time. The numbers are arbitrary but equal in all processes."""

    CALENDAR = 20_600  # scheduling rounds (rule 2.6)
    EVENTS = 5_300  # numbering events
    RATINGS = 22_100  # each rating depends on all earlier ones (rule 22.1)
    WITNESS = 24_201  # countersigning another site's checkpoint (rule 24.2)


def take(turn: Turn) -> None:
    """Wait for the lock *turn* and hold it. On SQLite a writing transaction already excludes all others."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(turn)])
