"""Celery tasks: one call each.

Their names are those under which messages of any release wait at the broker, wherever this file is.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial

from celery import shared_task
from django.conf import settings
from django.utils.translation import override

from contest import judging
from contest.archive.witnesses import asking, checkpoints
from contest.celery import waking
from contest.infra import clock
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

_MEANWHILE_SECONDS = 15.0
# Budgets are CPU seconds; on a busy machine the longest takes many times as long by the clock.
_A_LONG_SEARCH = 48 * 3600
_A_LONG_BACKUP = 6 * 3600
# Who is woken so soon after the last time is one of many: another comes soon.
_CLOSE_SECONDS = 0.05
# A judge who stays for those who follow close looks after each of the first, and has other tasks, too.
_GATHER_SECONDS, _STAY_SECONDS = 0.01, 1.0


class _Last(threading.local):
    """When a judge was last in this thread: one beside it does not make it one of many."""

    here = float("-inf")


_last = _Last()
_ADVANCE_SECONDS = 60.0
_advanced_at: float | None = None


@shared_task(name="contest.tasks.judge")
def judge() -> None:
    """Judge until nothing waits.

    Who sends meanwhile wakes nobody, and may have come after the last look: so there is one more without the mark.
    """
    judging.judge_until_empty(before_long=waking.let_wake, looks_again=False)
    _stay_while_they_come()
    waking.let_wake()
    judging.judge_until_empty(before_long=waking.let_wake)


def _stay_while_they_come() -> None:
    """Where one follows close upon another, look for the next here now and then: one look is for several."""
    now = time.monotonic()
    is_close, until = now - _last.here < _CLOSE_SECONDS, now + _STAY_SECONDS
    while is_close and now < until:
        time.sleep(_GATHER_SECONDS)
        is_close = judging.judge_until_empty(before_long=waking.let_wake, looks_again=False) > 0
        now = time.monotonic()
    _last.here = now


@shared_task(name="contest.tasks.sweep")
def sweep() -> None:
    """Judge what no wake-up came for. One look is enough: the next comes soon."""
    waking.let_wake()
    judging.judge_until_empty(before_long=waking.let_wake)


@shared_task(name="contest.tasks.keep_watch")
def keep_watch() -> None:
    """Do what may be some seconds late: the receipt chain, the sign of life, the silence of the web, the counts."""
    chain.keep_up()
    health.judge_canary()
    outages.notice_silence()
    metrics.flush()
    _advance_now_and_then()
    if intakes.waiting():
        waking.wake_intakes()
    if searches.waiting():
        waking.wake_solver()
    if films.waiting():
        films.draw_waiting(judging.judge_until_empty, only_forgotten=True)


@shared_task(name="contest.tasks.note_no_compiler")
def note_no_compiler() -> None:
    """Report that the searches of this worker fail."""
    health.note_no_compiler()


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
    waking.let_wake_for("take_in")
    if intakes.work_until_empty(judging.judge_until_empty):
        waking.wake_intakes()


@shared_task(name="contest.tasks.draw")
def draw() -> None:
    """Draw the animations that wait. On the queue of long work; on one box verdicts come first all the same."""
    waking.let_wake_for("draw")
    films.draw_waiting(judging.judge_until_empty)


@shared_task(name="contest.tasks.search", soft_time_limit=_A_LONG_SEARCH, time_limit=_A_LONG_SEARCH + 60)
def search() -> None:
    """Answer what the solver is asked. The search itself has a process of its own, so all else goes on meanwhile."""
    waking.let_wake_for("search")
    if searches.work_until_empty(_Meanwhile()):
        waking.wake_solver()


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


@shared_task(name="contest.tasks.solve_klotski")
def solve_klotski(start: str, target: str) -> None:
    """Answer a strict question of the lab. On the queue of long work."""
    klotski.answer(start, target)


@shared_task(name="contest.tasks.mail")
def mail() -> None:
    """Write letters about what has happened, and send some of those that wait."""
    digest.collect(clock.now())
    delivery.send()
