"""The receipt chain in tests, which run in parallel with others on the same PostgreSQL cluster."""

import time

from django.db import connection

from contest.judging import receipt_chain
from contest.models import ChainGap


def append_all() -> None:
    """Append all possible links. Each gap is retried once, after the transactions of parallel tests have ended."""
    receipt_chain.append_all()
    waited_for = None
    while connection.vendor == "postgresql" and (gap := ChainGap.objects.first()) and gap != waited_for:
        wait_for_other_databases(gap.horizon)
        receipt_chain.append_all()
        waited_for = gap


def wait_for_other_databases(horizon: int) -> None:
    """Wait until no other database of the cluster has a transaction that began before *horizon*."""
    if connection.vendor != "postgresql":
        return
    older = "SELECT 1 FROM pg_stat_activity WHERE datname <> current_database() AND backend_xid::text::bigint < %s"
    for _ in range(600):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # otherwise the transaction sees a cached snapshot
            cursor.execute(older, [horizon])
            if cursor.fetchone() is None:
                return
        time.sleep(0.1)
