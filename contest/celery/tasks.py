"""Celery tasks: one call each. And the wake-up, which may be lost.

Their names are those under which messages of any release wait at the broker, wherever this file is.
"""

import logging
import time
import uuid
from collections.abc import Callable
from datetime import datetime
from functools import cache as kept
from functools import partial
from types import SimpleNamespace
from typing import Any

import redis
from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.utils.translation import override
from kombu import Connection
from kombu.utils import json

from contest import judging
from contest.archive.witnesses import asking, checkpoints
from contest.infra import clock, rate_limits
from contest.infra.circuit_breaker import Breaker
from contest.infra.redis.scripts import Script
from contest.judging import receipt_chain as chain
from contest.library import collection_import as intakes
from contest.library import series
from contest.ops import asked_backups, health, metrics, outages
from contest.outreach import events, prizes, webhooks
from contest.outreach.newsletter import delivery, digest
from contest.rankings import ratings
from contest.replays import animations as films
from contest.results import by_itself
from contest.stats import all_rounds, hall_of_fame, visitors
from contest.vetting import klotski
from contest.vetting import worker as searches
from contest.visibility import Viewer

log = logging.getLogger(__name__)

_WAKE, _WAKE_DRAWER, _INTAKE_WAKE, _WAKE_SOLVER = "judge-wake", "draw-wake", "intake-wake", "search-wake"
_WAKE_SECONDS = 30
_KLOTSKI_SECONDS = 20  # whoever waited for longer is gone
_MEANWHILE_SECONDS = 15.0
# Budgets are CPU seconds; on a busy machine the longest takes many times as long by the clock.
_A_LONG_SEARCH = 48 * 3600
_A_LONG_BACKUP = 6 * 3600
# A judge stays for who comes within the first of these, looks after each of the second, and has other tasks, too.
_CLOSE_SECONDS, _GATHER_SECONDS, _STAY_SECONDS = 0.05, 0.01, 1.0
# How long a judge that finds nothing waits for a commit, in steps.
_EARLY_SECONDS = (0.001, 0.001, 0.002)
# When a judge was last here, and when one was last woken: by this process.
_last = SimpleNamespace(here=float("-inf"), woken=float("-inf"))
breaker = Breaker()
_ADVANCE_SECONDS = 60.0
_advanced_at: float | None = None


@shared_task(name="contest.tasks.judge")
def judge() -> None:
    """Judge until nothing waits.

    Who sends meanwhile wakes nobody, and may have come after the last look: so there is one more without the mark.
    """
    _look_until_something_waits()
    _stay_while_they_come()
    let_wake()
    judging.judge_until_empty(before_long=let_wake)


def _look_until_something_waits() -> None:
    """Who was woken early may look before the commit."""
    for pause in (*_EARLY_SECONDS, None):
        if judging.judge_until_empty(before_long=let_wake, looks_again=False) or pause is None:
            return
        time.sleep(pause)


def _stay_while_they_come() -> None:
    """Where one follows close upon another, look for the next here: to be told of each costs more than its verdict."""
    now = time.monotonic()
    is_close, until = now - _last.here < _CLOSE_SECONDS, now + _STAY_SECONDS
    while is_close and now < until:
        time.sleep(_GATHER_SECONDS)
        is_close = judging.judge_until_empty(before_long=let_wake, looks_again=False) > 0
        now = time.monotonic()
    _last.here = now


@shared_task(name="contest.tasks.sweep")
def sweep() -> None:
    """Judge what no wake-up came for. One look is enough: the next comes soon."""
    let_wake()
    judging.judge_until_empty(before_long=let_wake)


@shared_task(name="contest.tasks.keep_watch")
def keep_watch() -> None:
    """Do what may be some seconds late: the receipt chain, the sign of life, the silence of the web, the counts."""
    chain.keep_up()
    health.judge_canary()
    outages.notice_silence()
    metrics.flush()
    _advance_now_and_then()
    if intakes.waiting():
        wake_intakes()
    if searches.waiting():
        wake_solver()
    films.draw_waiting(judging.judge_until_empty, only_forgotten=True)


def ask_witnesses() -> None:
    """Have the newest checkpoint countersigned; a witness that is down must not stop the worker."""
    try:
        asking.ask_all()
    except Exception:
        log.exception("The witnesses could not be asked.")


@shared_task(name="contest.tasks.advance")
def advance() -> None:
    """Make the rounds of the series that are due (rule 23.1), and final what has been quiet (rule 14.7)."""
    series.advance(clock.now())
    by_itself.finalise_quiet(clock.now())


def _advance_now_and_then() -> None:
    """Series must not need the broker either; a week ahead, a minute does not matter."""
    global _advanced_at  # noqa: PLW0603 - each process keeps its own pace
    if _advanced_at is None or time.monotonic() - _advanced_at > _ADVANCE_SECONDS:
        _advanced_at = time.monotonic()
        chain.note_complete(clock.now())
        advance()
        if checkpoints.make_hourly(clock.now()):
            ask_witnesses()
        prizes.forget_old(clock.now())
        films.tidy(clock.now())
        searches.tidy()


@shared_task(name="contest.tasks.count")
def count() -> None:
    """Add up what has changed for the pages over all rounds, so that no reader waits for it; first, who came.

    Verdicts come between the parts.
    """
    viewer, at = Viewer(), clock.now()
    parts: list[Callable[[], object]] = [
        lambda: visitors.keep_counts(at),
        lambda: all_rounds.of_site(viewer, at),
        lambda: hall_of_fame.hall(viewer, at).make(),
        *(partial(_count_countries, language, viewer, at) for language, _name in settings.LANGUAGES),
        lambda: ratings.current().make(),
    ]
    for make in parts:
        make()
        judging.judge_until_empty()


def _count_countries(language: str, viewer: Viewer, at: datetime) -> None:
    with override(language):
        hall_of_fame.countries(viewer, at)


@shared_task(name="contest.tasks.back_up", soft_time_limit=_A_LONG_BACKUP, time_limit=_A_LONG_BACKUP + 60)
def back_up() -> None:
    """Make the backup that was asked for on the desk, if any."""
    asked_backups.make()


@shared_task(name="contest.tasks.tell")
def tell() -> None:
    """Tell webhooks what has happened."""
    at = clock.now()
    events.tell(at)
    webhooks.collect(at)
    webhooks.deliver()


@shared_task(name="contest.tasks.take_in")
def take_in() -> None:
    """Read the collections that wait. On the queue of long work; on one box verdicts come first all the same."""
    _take_back(_INTAKE_WAKE)
    if intakes.work_until_empty(judging.judge_until_empty):
        wake_intakes()


@shared_task(name="contest.tasks.draw")
def draw() -> None:
    """Draw the animations that wait. On the queue of long work; on one box verdicts come first all the same."""
    _take_back(_WAKE_DRAWER)
    films.draw_waiting(judging.judge_until_empty)


@shared_task(name="contest.tasks.search", soft_time_limit=_A_LONG_SEARCH, time_limit=_A_LONG_SEARCH + 60)
def search() -> None:
    """Answer what the solver is asked. The search itself has a process of its own, so all else goes on meanwhile."""
    _take_back(_WAKE_SOLVER)
    if searches.work_until_empty(_Meanwhile()):
        wake_solver()


class _Meanwhile:
    """What a worker of long work does while a search runs: verdicts at once, the rest every fifteen seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _MEANWHILE_SECONDS

    def __call__(self) -> None:
        judging.judge_until_empty()
        if time.monotonic() >= self._next:
            for task in (draw, take_in, mail, tell):
                task()
            self._next = time.monotonic() + _MEANWHILE_SECONDS


def wake_solver() -> None:
    """Tell a worker of long work that the solver is asked something."""
    _wake(search, _WAKE_SOLVER, queue="solve")


def wake_intakes() -> None:
    """Tell a worker of long work that a collection waits; a hint that is lost is sent again by the sweep."""
    _wake(take_in, _INTAKE_WAKE, queue="solve")


@shared_task(name="contest.tasks.solve_klotski")
def solve_klotski(start: str, target: str) -> None:
    """Answer a strict question of the lab. On the queue of long work."""
    klotski.answer(start, target)


def ask_klotski(start: str, target: str) -> None:
    """Send a question of the lab to a worker; where the broker is down the page asks again."""
    try:
        solve_klotski.apply_async((start, target), ignore_result=True, queue="solve", expires=_KLOTSKI_SECONDS)
    except Exception as error:  # whatever the broker's client raises
        log.warning("A question of the lab was not sent (%s).", error)


@shared_task(name="contest.tasks.mail")
def mail() -> None:
    """Write letters about what has happened, and send some of those that wait."""
    digest.collect(clock.now())
    delivery.send()


# Of all who want a judge woken, the first one sends the hint; one that is lost may be sent again after a while.
_SEND_ONE = """
if redis.call("SET", KEYS[1], 1, "NX", "EX", ARGV[1]) then
  redis.call("LPUSH", KEYS[2], ARGV[2])
end
"""
_SOME_ID = "00000000-0000-0000-0000-000000000000"


def wake_judge() -> None:
    """Tell a worker that something waits to be judged, unless one has been told, or is at work.

    One message after the other is the same but for its id: Celery writes the first, and Redis gets each in the one call
    that sets the mark. Made, routed and sent by Celery, a message took ten times as long.
    """
    if breaker.is_open:
        return
    _last.woken = time.monotonic()
    try:
        message = _hint().replace(_SOME_ID, str(uuid.uuid4()))
        _send_one()(keys=[_WAKE, settings.CELERY_TASK_DEFAULT_QUEUE], args=[_WAKE_SECONDS, message])
    except Exception as error:  # whatever it is: what waits is stored by now, and the sweep finds it
        _rest(error)


def wake_judge_early() -> None:
    """The same a moment before what there is to judge is committed, so that the judge is on its way by then.

    Who follows close upon another needs it not: a judge is there. One that looked too early is woken after the commit.
    Nobody holds a transaction to wait for a Redis that has just let the limits wait in vain.
    """
    if time.monotonic() - _last.woken > _CLOSE_SECONDS and not rate_limits.breaker.is_open:
        wake_judge()


def write_the_hint() -> None:
    """Have it before the first sender comes: where a file cannot be opened for it, Celery keeps half its tasks."""
    _hint()


def let_wake() -> None:
    """Let whoever sends from now on wake a judge."""
    try:
        _broker().delete(_WAKE)
    except redis.RedisError:  # a broker that is down must not stop the worker
        log.warning("The wake-up mark could not be taken back.")


@kept
def _hint() -> str:
    """The message that calls `judge`, as Celery puts it into a queue."""
    call: Any = judge
    with Connection("memory://") as memory:
        call.apply_async(connection=memory, task_id=_SOME_ID, ignore_result=True)
        channel: Any = memory.default_channel
        message = channel._get(settings.CELERY_TASK_DEFAULT_QUEUE)
    message["properties"]["delivery_tag"] = _SOME_ID
    return str(json.dumps(message))


@kept
def _broker() -> redis.Redis:
    return redis.Redis.from_url(settings.BROKER_URL, **settings.REDIS_PATIENCE)


@kept
def _send_one() -> Script:
    return Script(settings.BROKER_URL, _SEND_ONE)


def wake_drawer() -> None:
    """Tell a worker that an animation waits."""
    _wake(draw, _WAKE_DRAWER, queue="solve")


def _take_back(mark: str) -> None:
    try:
        cache.delete(mark)
    except Exception:  # a cache that is down must not stop the worker
        log.warning("The wake-up mark could not be taken back.")


def _wake(task: Any, mark: str, **options: str) -> None:
    """Send a hint. One at a time is enough, and losing it costs a sweep's delay.

    A broker that is down costs a log line, then some seconds of not asking it again: never the sender's answer.
    """
    if breaker.is_open:
        return
    try:
        if cache.add(mark, 1, _WAKE_SECONDS):
            task.apply_async(ignore_result=True, **options)
    except Exception as error:  # whatever the broker's client raises, the row is stored
        _rest(error)


def _rest(error: Exception) -> None:
    breaker.trip()
    log.warning("No wake-up sent (%s); the sweep will do it.", error)
