"""The statistics that PostgreSQL plans by."""

from django.db import connection


def analyze() -> None:
    """Update the statistics of all tables after many rows were added: autovacuum may come minutes later.

    Until then PostgreSQL may plan for empty tables and join them by loops. SQLite needs nothing of the kind.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
