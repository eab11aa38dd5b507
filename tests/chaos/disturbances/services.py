"""What is done to Redis and to PostgreSQL."""

import random
import signal
import time

import psycopg

from tests.chaos.disturbances.trial import Trial, goes_on

# Redis


def kill_redis(trial: Trial) -> None:
    """Kill Redis, with everything in it."""
    time.sleep(random.random() / 2)
    trial.site.kill("redis", down=0.3)


def empty_redis(trial: Trial) -> None:
    """Forget every message, mark and count."""
    for _ in range(5):
        time.sleep(0.2)
        trial.site.redis("FLUSHALL")


def pause_redis_then_refuse(trial: Trial) -> None:
    """Let Redis hang, then let nothing listen there; people get their receipts and verdicts all the same."""
    with trial.site.paused("redis"):
        goes_on(trial, "without Redis", 15)
    with trial.site.down("redis"):
        goes_on(trial, "without Redis", 10)


def fill_redis(trial: Trial) -> None:
    """Let Redis have no memory for anything new, and drop nothing for it."""
    trial.site.redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
    trial.site.redis("CONFIG", "SET", "maxmemory", "1")
    try:
        assert trial.site.redis("SET", "chaos", "1").startswith(b"-OOM")
        goes_on(trial, "with a full Redis", 20)
        trial.site.wait_until("the operator is told", lambda: not trial.site.readiness().get("broker", True), 10)
    finally:
        trial.site.redis("CONFIG", "SET", "maxmemory", "0")
    trial.site.wait_until("Redis is called well again", lambda: trial.site.readiness().get("broker", False), 10)


# PostgreSQL


def restart_postgres_fast(trial: Trial) -> None:
    """Restart PostgreSQL as an operator does: every connection is cut, every transaction rolled back."""
    time.sleep(random.random())
    trial.site.kill("postgres", signal.SIGINT, down=0.3)


def restart_postgres_at_once(trial: Trial) -> None:
    """Restart PostgreSQL as a power cut does, without the power cut: it recovers from its log."""
    time.sleep(random.random())
    trial.site.kill("postgres", signal.SIGQUIT)


def take_every_connection(trial: Trial) -> None:
    """Take all of PostgreSQL's places from the site, which says when to come again; then restart it at once."""
    taken: list[psycopg.Connection] = []
    until = time.monotonic() + 4
    try:
        while time.monotonic() < until:
            try:
                taken.append(psycopg.connect(trial.site.database, autocommit=True, application_name="chaos"))
            except psycopg.OperationalError:
                _end_others(taken)
                time.sleep(0.02)
        assert len(taken) > 50
        trial.site.kill("postgres", signal.SIGQUIT)
    finally:
        for connection in taken:
            connection.close()


def _end_others(taken: list[psycopg.Connection]) -> None:
    if taken:
        taken[0].execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND application_name <> 'chaos'"
        )
