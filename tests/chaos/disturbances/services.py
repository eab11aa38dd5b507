"""Disturbances of Redis and PostgreSQL."""

import random
import signal

import psycopg

from tests.chaos.disturbances.trial import Trial, check_service

# Redis


def kill_redis(trial: Trial) -> None:
    """Kill Redis with all its data; players still get their receipts and verdicts."""
    with trial.site.down("redis"):
        check_service(trial, "without Redis")


def pause_redis(trial: Trial) -> None:
    with trial.site.paused("redis"):
        check_service(trial, "without Redis")


def empty_redis(trial: Trial) -> None:
    for _ in range(5):
        trial.let_people_try(10)
        trial.site.redis("FLUSHALL")


def fill_redis(trial: Trial) -> None:
    """Leave Redis no memory for new data, and do not let it evict anything."""
    trial.site.redis("CONFIG", "SET", "maxmemory-policy", "noeviction")
    trial.site.redis("CONFIG", "SET", "maxmemory", "1")
    try:
        assert trial.site.redis("SET", "chaos", "1").startswith(b"-OOM")
        check_service(trial, "with a full Redis")
        trial.site.wait_until("the operator is told", lambda: not trial.site.readiness().get("broker", True))
    finally:
        trial.site.redis("CONFIG", "SET", "maxmemory", "0")
    trial.site.wait_until("Redis is called well again", lambda: trial.site.readiness().get("broker", False))


def restart_postgres_fast(trial: Trial) -> None:
    """Restart PostgreSQL as an operator does: every connection is closed, every transaction rolled back."""
    trial.let_people_try(random.randrange(50))
    with trial.site.down("postgres", signal.SIGINT):
        trial.let_people_try(20)


def restart_postgres_at_once(trial: Trial) -> None:
    """Restart PostgreSQL with an immediate shutdown: it recovers from its log, as after a power cut."""
    trial.let_people_try(random.randrange(50))
    trial.site.kill("postgres", signal.SIGQUIT)


def take_every_connection(trial: Trial) -> None:
    """Take all connections of PostgreSQL from the site, which asks senders to retry later; then restart it at once."""
    taken: list[psycopg.Connection] = []
    until = trial.crowd.tries + 50
    try:
        while len(taken) < 60 or trial.crowd.tries < until:
            try:
                taken.append(psycopg.connect(trial.site.database, autocommit=True, application_name="chaos"))
            except psycopg.OperationalError:
                _end_others(taken)
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
