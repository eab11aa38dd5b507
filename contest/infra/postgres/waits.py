"""How long who answers requests waits for PostgreSQL, and how many connections it has."""

from django.conf import settings
from django.db import connections

# A locked row, or a question that takes too long, must not keep a thread from everybody else for ever.
LOCK_SECONDS = 5
STATEMENT_SECONDS = 30
# For a connection: of the pool of this process, and of the server.
POOL_SECONDS = 5
CONNECT_SECONDS = 5


def bound() -> None:
    """Bound them for this process; before the first connection. A worker or a command may wait as long as it takes."""
    database = connections.settings["default"]
    if not database["ENGINE"].endswith("postgres") and not database["ENGINE"].endswith("postgresql"):
        return
    options = database["OPTIONS"]
    times = {"lock_timeout": LOCK_SECONDS, "statement_timeout": STATEMENT_SECONDS}
    words = [options.get("options", ""), *(f"-c {name}={seconds}s" for name, seconds in times.items())]
    options["options"] = " ".join(filter(None, words))
    options.setdefault("connect_timeout", CONNECT_SECONDS)
    if settings.DATABASE_CONNECTIONS:
        options["pool"] = {"min_size": 1, "max_size": settings.DATABASE_CONNECTIONS, "timeout": POOL_SECONDS}
        database["CONN_MAX_AGE"] = 0  # the pool keeps them
        # Our own engine looks at them without a question.
        database["CONN_HEALTH_CHECKS"] = database["ENGINE"] != "contest.infra.postgres"
