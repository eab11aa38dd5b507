"""Timeouts and connection limits of web processes for PostgreSQL."""

from django.conf import settings
from django.db import connections

# A locked row or a slow query must not block a thread for ever.
LOCK_SECONDS = 5
STATEMENT_SECONDS = 30
# Seconds to wait for a connection: from this process's pool, and from the server.
POOL_SECONDS = 5
CONNECT_SECONDS = 5


def set_timeouts() -> None:
    """Set the timeouts of this process before its first connection. Workers and commands have no limit."""
    database = connections.settings["default"]
    if not database["ENGINE"].endswith("postgres") and not database["ENGINE"].endswith("postgresql"):
        return
    options = database["OPTIONS"]
    timeouts = {"lock_timeout": LOCK_SECONDS, "statement_timeout": STATEMENT_SECONDS}
    option_parts = [options.get("options", ""), *(f"-c {name}={seconds}s" for name, seconds in timeouts.items())]
    options["options"] = " ".join(filter(None, option_parts))
    options.setdefault("connect_timeout", CONNECT_SECONDS)
    if settings.DATABASE_CONNECTIONS:
        options["pool"] = {"min_size": 1, "max_size": settings.DATABASE_CONNECTIONS, "timeout": POOL_SECONDS}
        database["CONN_MAX_AGE"] = 0  # the pool keeps the connections open
        # Our own engine checks connections without a query.
        database["CONN_HEALTH_CHECKS"] = database["ENGINE"] != "contest.infra.postgres"
