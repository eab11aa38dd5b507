"""The database; and Redis: broker, cache and limits in separate databases."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from contest.settings.environment import DATA_DIR, env

# A worker or transaction that is silent for longer loses its claims or is ended (docs/explanation/judging.md).
JUDGE_LEASE_SECONDS = env.float("JUDGE_LEASE_SECONDS", default=60.0)

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")
}
# No message quotes an address: it may contain a password.
if "ENGINE" not in DATABASES["default"]:
    raise ImproperlyConfigured("DATABASE_URL is an address such as postgres://user:password@host/name.")
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "contest.infra.sqlite"
    # Opening a connection reads the whole schema, which takes as long as storing a submission.
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["OPTIONS"] = {
        # Two writers that begin with a read would deadlock into "database is locked"; this makes them queue.
        "transaction_mode": "IMMEDIATE",
        # FULL: a receipt means that the data survives a power cut, at the price of waiting for the disk.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=134217728; "
            "PRAGMA journal_size_limit=27103364;"
        ),
    }
else:
    # As long as a pool keeps a connection (psycopg_pool): a new one costs time, and prepares all its statements again.
    DATABASES["default"]["CONN_MAX_AGE"] = 3_600
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # A process that stalls in a transaction would hold its locks, and block waiting processes, forever. JIT compilation
    # takes a second or more, hundreds of times the execution time of any page's statement. Data is in memory or on an
    # SSD: random access costs hardly more than sequential access.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault(
        "options",
        f"-c idle_in_transaction_session_timeout={JUDGE_LEASE_SECONDS * 1000:.0f} -c jit=off -c random_page_cost=1.1",
    )
    # Prepared statements need a session of their own: turn them off behind a pooler that shares sessions. psycopg
    # prepares only inside `prepared_statements`: one generic plan for all values would ruin the pages of a large site.
    if env.bool("PREPARED_STATEMENTS", default=True):
        DATABASES["default"]["ENGINE"] = "contest.infra.postgres"
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": None}

REDIS_URL: str = env("REDIS_URL", default="redis://127.0.0.1:6379")
if not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured("REDIS_URL is an address such as redis://host:6379 or unix:///path.")
# Whether the operator named a broker (contest.ops.checks).
REDIS_IS_NAMED = "REDIS_URL" in env.ENVIRON


def redis_url(database: int, *, broker: bool = False) -> str:
    """Return the URL of a Redis database. Celery has its own syntax for Unix sockets."""
    base = REDIS_URL.rstrip("/")
    if base.startswith("unix://"):
        socket = base.removeprefix("unix://")
        return f"redis+socket://{socket}?virtual_host={database}" if broker else f"unix://{socket}?db={database}"
    return f"{base}/{database}"


REDIS_PATIENCE = {"socket_connect_timeout": 0.5, "socket_timeout": 1.0}
BROKER_URL = redis_url(0)
LIMITS_URL = redis_url(2)

CACHES = {
    "default": {
        "BACKEND": "contest.infra.redis.signed_cache.SignedCache",
        "LOCATION": redis_url(1),
        "OPTIONS": REDIS_PATIENCE | {"serializer": "contest.infra.redis.signed_cache.SignedPickles"},
    }
}

# Optimisations beyond plain Django, each with a switch (docs/explanation/performance.md has their effects).
FAST_PATHS = {
    # Prepare the queries between a submission and its verdict (PostgreSQL).
    "prepared_statements": True,
    # Serve cached pages, and 304, to anonymous readers before Django.
    "kept_pages": True,
    # Answer programs' small POST requests before Django, in batches of those that wait together.
    "early_posts": True,
}
for name in env.list("FAST_PATHS_OFF", default=[]):
    if name not in (*FAST_PATHS, "all"):
        raise ImproperlyConfigured(f"FAST_PATHS_OFF names {name!r}; there are {', '.join(FAST_PATHS)}, and all.")
    FAST_PATHS |= dict.fromkeys(FAST_PATHS if name == "all" else [name], False)
