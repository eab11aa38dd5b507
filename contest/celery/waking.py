"""Waking workers: a hint that something waits. It may be lost; the sweep finds what waits all the same."""

import logging
import time
import uuid
from collections.abc import Callable, Sequence
from functools import cache as kept
from types import SimpleNamespace
from typing import Any

import redis
from django.conf import settings
from django.core.cache import cache
from kombu import Connection
from kombu.utils import json

from contest.celery import app
from contest.infra import rate_limits
from contest.infra.circuit_breaker import Breaker
from contest.infra.redis.scripts import Script

log = logging.getLogger(__name__)

_WAKE = "judge-wake"
_LONG_WORK = "solve"
_SECONDS = 30
_KLOTSKI_SECONDS = 20  # whoever waited for longer is gone
# Who follows another so close finds a judge at work.
CLOSE_SECONDS = 0.05
_SOME_ID = "00000000-0000-0000-0000-000000000000"
breaker = Breaker()
# When this process last woke a judge.
_last = SimpleNamespace(woken=float("-inf"))

# Of all who want a judge woken, the first one sends the hint; one that is lost may be sent again after a while.
_SEND_ONE = """
if redis.call("SET", KEYS[1], 1, "NX", "EX", ARGV[1]) then
  redis.call("LPUSH", KEYS[2], ARGV[2])
end
"""


def wake_judge() -> None:
    """Tell a worker that something waits to be judged, unless one has been told, or is at work.

    One message after the other is the same but for its id: Celery writes the first, and Redis gets each in the one call
    that sets the mark. Made, routed and sent by Celery, a message took ten times as long.
    """
    _send(Script.__call__)


def wake_judge_early() -> None:
    """The same a moment before what there is to judge is committed, so that the judge is on its way by then.

    The commit does not wait for what Redis says. Who follows close upon another needs it not: a judge is there. One
    that looked too early is woken after the commit. Nobody holds a transaction to wait for a Redis that has just let
    the limits wait in vain.
    """
    if time.monotonic() - _last.woken > CLOSE_SECONDS and not rate_limits.breaker.is_open:
        _send(Script.tell)


def _send(by: Callable[[Script, Sequence[str], Sequence[object]], object]) -> None:
    if breaker.is_open:
        return
    _last.woken = time.monotonic()
    try:
        message = _hint().replace(_SOME_ID, str(uuid.uuid4()))
        by(_send_one(), [_WAKE, settings.CELERY_TASK_DEFAULT_QUEUE], [_SECONDS, message])
    except Exception as error:  # whatever it is: what waits is stored by now, and the sweep finds it
        _rest(error)


def write_the_hint() -> None:
    """Have it before the first sender comes: what is read for it is read where a file can be opened."""
    _hint()


def let_wake() -> None:
    """Let whoever sends from now on wake a judge."""
    try:
        _take_mark_back()([_WAKE], [])
    except (redis.RedisError, OSError):  # a broker that is down must not stop the worker
        log.warning("The wake-up mark could not be taken back.")


@kept
def _hint() -> str:
    """The message that calls for a judge, as Celery puts it into a queue."""
    with Connection("memory://") as memory:
        app.send_task("contest.tasks.judge", connection=memory, task_id=_SOME_ID, ignore_result=True)
        channel: Any = memory.default_channel
        message = channel._get(settings.CELERY_TASK_DEFAULT_QUEUE)
    message["properties"]["delivery_tag"] = _SOME_ID
    return str(json.dumps(message))


@kept
def _send_one() -> Script:
    return Script(settings.BROKER_URL, _SEND_ONE)


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
            app.send_task(f"contest.tasks.{task}", ignore_result=True, queue=_LONG_WORK)
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
        app.send_task(name, told, ignore_result=True, queue=_LONG_WORK, expires=_KLOTSKI_SECONDS)
    except Exception as error:  # whatever the broker's client raises
        log.warning("A question of the lab was not sent (%s).", error)


def _rest(error: Exception) -> None:
    breaker.trip()
    log.warning("No wake-up sent (%s); the sweep will do it.", error)
