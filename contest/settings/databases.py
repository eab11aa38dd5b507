"""The database; and Redis: broker, cache and limits in databases of their own."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from contest.settings.environment import DATA_DIR, env

# Whoever holds submissions, or a transaction, and is silent for longer than this has lost them (docs/judging.md).
JUDGE_LEASE_SECONDS = env.float("JUDGE_LEASE_SECONDS", default=60.0)

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "contest.infra.sqlite"
    # Opening it reads the whole schema, which takes as long as storing a submission does.
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["OPTIONS"] = {
        # Two writers that begin with a read would deadlock into "database is locked"; this makes them queue.
        "transaction_mode": "IMMEDIATE",
        # FULL: a receipt means that it is on the disk, through a power cut too; it costs the wait for the disk.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=134217728; "
            "PRAGMA journal_size_limit=27103364;"
        ),
    }
else:
    # As long as a pool keeps one (psycopg_pool): whoever opens one waits, and has it prepare all its statements anew.
    DATABASES["default"]["CONN_MAX_AGE"] = 3_600
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # A process that stalls in its transaction would keep its locks, and whoever waits for them, for ever. To compile a
    # statement takes a second and more, hundreds of times what any page's takes to be carried out. What is asked for
    # is in memory or on a disk without a head: to jump costs hardly more than to read on.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault(
        "options",
        f"-c idle_in_transaction_session_timeout={JUDGE_LEASE_SECONDS * 1000:.0f} -c jit=off -c random_page_cost=1.1",
    )
    # Prepared statements need a session of their own: off behind a pooler that shares sessions. psycopg prepares only
    # inside `prepared_statements`: one plan for all values would be a disaster for the pages of a large site.
    if env.bool("PREPARED_STATEMENTS", default=True):
        DATABASES["default"]["ENGINE"] = "contest.infra.postgres"
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": None}

REDIS_URL: str = env("REDIS_URL", default="redis://127.0.0.1:6379")


def redis_url(database: int, *, broker: bool = False) -> str:
    """The address of one Redis database. Celery spells Unix sockets in its own way."""
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
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": redis_url(1),
        "OPTIONS": REDIS_PATIENCE,
    }
}

# What is faster than plain Django, one switch each (docs/performance.md says what each buys).
FAST_PATHS = {
    # PostgreSQL prepares the queries between a submission and its verdict.
    "prepared_statements": True,
    # Readers of whom nothing is known get kept answers, and 304, before Django.
    "kept_pages": True,
    # Small posts of programs are answered before Django, those that wait at one moment together.
    "early_posts": True,
}
for name in env.list("FAST_PATHS_OFF", default=[]):
    if name not in (*FAST_PATHS, "all"):
        raise ImproperlyConfigured(f"FAST_PATHS_OFF names {name!r}; there are {', '.join(FAST_PATHS)}, and all.")
    FAST_PATHS |= dict.fromkeys(FAST_PATHS if name == "all" else [name], False)
