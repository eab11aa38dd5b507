"""Locks that belong to no row: who holds one lets nobody else take it before its transaction ends."""

from enum import IntEnum

from django.db import connection


class Turn(IntEnum):
    """What is done by one transaction at a time. Any numbers, the same in all processes."""

    CALENDAR = 20_600  # rounds are scheduled (rule 2.6)
    EVENTS = 5_300  # events get their numbers
    RATINGS = 22_100  # each rating is made of all before it (rule 22.1)
    WITNESS = 24_201  # another site's checkpoint is countersigned (rule 24.2)


def take(turn: Turn) -> None:
    """Wait for *turn* and keep it. On SQLite every writing transaction is alone already."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(turn)])
