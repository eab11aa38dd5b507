"""Waking workers: a hint that something waits. It may be lost; the sweep finds what waits all the same."""

import logging
import time
from functools import cache as kept

import redis
from django.conf import settings
from django.core.cache import cache
from redis.backoff import NoBackoff
from redis.retry import Retry

from contest.celery import app
from contest.infra.circuit_breaker import Breaker
from contest.infra.redis.scripts import Script

log = logging.getLogger(__name__)

_WAKE, _HINTS = "judge-wake", "judge-hints"
LONG_WORK = "solve"
_SECONDS = 30
# A worker that ends waits for it to come to an end.
_LISTEN_SECONDS = 1
_KLOTSKI_SECONDS = 20  # whoever waited for longer is gone
# For who sends and for who listens: how long Redis is not asked, or its silence not told again.
breaker, listening = Breaker(), Breaker()

# Of all who want a judge woken, the first one leaves the hint; one that is lost may be sent again after a while.
_SEND_ONE = """
if redis.call("SET", KEYS[1], 1, "NX", "EX", ARGV[1]) then
  redis.call("DEL", KEYS[2])
  redis.call("LPUSH", KEYS[2], 1)
end
"""


def wake_judge() -> None:
    """Tell a worker that something waits to be judged, unless one has been told, or is at work."""
    if breaker.is_open:
        return
    try:
        _send_one()([_WAKE, _HINTS], [_SECONDS])
    except Exception as error:  # whatever it is: what waits is stored by now, and the sweep finds it
        _rest(error)


def await_hint() -> bool:
    """Wait a while for a hint, and say whether one came. Where Redis does not answer none comes, after a while, too.

    A message of Celery's, which it notes, unpacks, logs and takes back, took 1.4 ms.
    """
    try:
        return _listener().blpop([_HINTS], timeout=_LISTEN_SECONDS) is not None
    except Exception as error:  # whatever the client raises
        if not listening.is_open:
            log.warning("No hint is heard (%s); the sweep judges meanwhile.", error)
            listening.trip()
        time.sleep(_LISTEN_SECONDS)
        return False


def pass_hint_on() -> None:
    """Leave a hint that was taken to another worker."""
    let_wake()
    wake_judge()


def let_wake() -> None:
    """Let whoever sends from now on wake a judge."""
    try:
        _take_mark_back()([_WAKE], [])
    except (redis.RedisError, OSError):  # a broker that is down must not stop the worker
        log.warning("The wake-up mark could not be taken back.")


@kept
def _send_one() -> Script:
    return Script(settings.BROKER_URL, _SEND_ONE)


@kept
def _listener() -> redis.Redis:
    once = Retry(NoBackoff(), 0)  # a worker that ends does not wait for one that stands still, again and again
    patience = settings.REDIS_PATIENCE | {"socket_timeout": 2.0 * _LISTEN_SECONDS}
    return redis.Redis.from_url(settings.BROKER_URL, retry=once, **patience)


@kept
def _take_mark_back() -> Script:
    return Script(settings.BROKER_URL, 'redis.call("DEL", KEYS[1])')


def wake_solver() -> None:
    """Tell a worker of long work that the solver is asked something."""
    _wake("search")


def wake_intakes() -> None:
    """Tell a worker of long work that a collection waits; a hint that is lost is sent again by the sweep."""
    _wake("take_in")


def wake_drawer() -> None:
    """Tell a worker that an animation waits."""
    _wake("draw")


def _wake(task: str) -> None:
    """Send a hint. One at a time is enough, and losing it costs a sweep's delay.

    A broker that is down costs a log line, then some seconds of not asking it again: never the sender's answer.
    """
    if breaker.is_open:
        return
    try:
        if cache.add(_mark(task), 1, _SECONDS):
            app.send_task(f"contest.tasks.{task}", ignore_result=True, queue=LONG_WORK)
    except Exception as error:  # whatever the broker's client raises, the row is stored
        _rest(error)


def let_wake_for(task: str) -> None:
    """Let whoever asks from now on wake a worker of long work for *task*."""
    try:
        cache.delete(_mark(task))
    except Exception:  # a cache that is down must not stop the worker
        log.warning("The wake-up mark could not be taken back.")


def _mark(task: str) -> str:
    return f"{task}-wake"


def ask_klotski(start: str, target: str) -> None:
    """Send a question of the lab to a worker; where the broker is down the page asks again."""
    try:
        name, told = "contest.tasks.solve_klotski", (start, target)
        app.send_task(name, told, ignore_result=True, queue=LONG_WORK, expires=_KLOTSKI_SECONDS)
    except Exception as error:  # whatever the broker's client raises
        log.warning("A question of the lab was not sent (%s).", error)


def _rest(error: Exception) -> None:
    breaker.trip()
    log.warning("No wake-up sent (%s); the sweep will do it.", error)
