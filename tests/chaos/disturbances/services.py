import random
import signal

from tests.chaos.disturbances.trial import Trial, check_service

# Redis


def kill_redis(trial: Trial) -> None:
    with trial.site.down("redis"):
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
