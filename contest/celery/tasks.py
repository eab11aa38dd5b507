"""Celery tasks: one call each.

Task names must not change with this file's location: messages of older releases may still wait at the broker.
"""

import logging
import threading
import time
from datetime import datetime

from celery import shared_task
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils.translation import override

from contest import judging
from contest.archive.imports import jobs as imports
from contest.archive.witnesses import asking, checkpoints
from contest.celery import waking
from contest.infra import clock
from contest.infra.cache import is_first
from contest.infra.database.sessions import SessionStore
from contest.judging import pruning
from contest.judging import receipt_chain as chain
from contest.library import collection_import as intakes
from contest.library import series
from contest.ops import asked_backups, health, outages
from contest.organising import long_acts, second_looks
from contest.outreach import events, prizes, webhooks
from contest.outreach.community import votes
from contest.outreach.newsletter import delivery, digest
from contest.players import entering, resting
from contest.rankings import ratings
from contest.replays import animations as films
from contest.results import by_itself
from contest.stats import all_rounds, hall_of_fame, visitors
from contest.vetting import klotski, speed
from contest.vetting import worker as searches
from contest.visibility import Viewer

log = logging.getLogger(__name__)

# Budgets are CPU seconds; on a busy machine the longest search takes many times that in wall-clock time.
_SEARCH_LIMIT_SECONDS = 48 * 3600
_BACKUP_LIMIT_SECONDS = 6 * 3600
_IMPORT_LIMIT_SECONDS = 6 * 3600
_PERIODIC_SECONDS = 15.0
# A judge task starting less than this after the last one is part of a series: another will follow soon.
_CLOSE_SECONDS = 0.05
# It then stays and polls at this interval, so that one task judges several submissions.
_POLL_SECONDS, _STAY_SECONDS = 0.01, 1.0
# Then it leaves the rest to the next task: a worker that is shutting down waits for the running one.
_JUDGE_SECONDS = 5.0
_ASK_AGAIN_SECONDS = 300
_TIDY_SECONDS = 3600
# A replay that exceeds the lease is stopped and counts as a failed attempt (pool `prefork` only).
_LIMIT = settings.JUDGE_LEASE_SECONDS


class _Last(threading.local):
    """The time of this thread's last judging, by the monotonic clock."""

    judged_at = float("-inf")


_last = _Last()


@shared_task(
    name="contest.tasks.judge",
    autoretry_for=(InterfaceError, OperationalError),
    retry_backoff=True,
    max_retries=3,
    soft_time_limit=_LIMIT,
    time_limit=_LIMIT + 10,
)
def judge() -> None:
    """Judge until nothing waits, for a few seconds at most; then notify a worker about the rest.

    Senders send no notification while the mark is set. So the task clears it and polls once more before it ends.
    """
    deadline = time.monotonic() + _JUDGE_SECONDS
    judging.judge_until_empty(before_long=_wake_another, caller_looks_again=True, until=deadline)
    _wait_for_more(deadline)
    waking.clear_mark("judge")
    judging.judge_until_empty(before_long=_wake_another, until=deadline)
    if time.monotonic() >= deadline and judging.has_waiting():
        waking.wake_judge()


def _wake_another() -> None:
    """Have another process judge new submissions, before a batch that takes long."""
    waking.clear_mark("judge")
    if judging.has_waiting():
        waking.wake_judge()


def _wait_for_more(deadline: float) -> None:
    """If submissions closely follow one another, poll for more for up to a second."""
    now = time.monotonic()
    is_close, deadline = now - _last.judged_at < _CLOSE_SECONDS, min(deadline, now + _STAY_SECONDS)
    while is_close and now < deadline:
        time.sleep(_POLL_SECONDS)
        is_close = judging.judge_until_empty(before_long=_wake_another, caller_looks_again=True, until=deadline) > 0
        now = time.monotonic()
    _last.judged_at = now


@shared_task(name="contest.tasks.keep_watch")
def keep_watch() -> None:
    """Detect outages, update the receipt chain, judge the canary; repeat notifications for long work."""
    outages.notice_silence()  # before the chain: an outage delays the draw, whose time a closing binds
    chain.keep_up()
    health.judge_canary()
    if intakes.is_any_waiting():
        waking.wake_intakes()
    if imports.is_any_waiting():
        waking.wake_imports()
    if long_acts.is_any_waiting():
        waking.wake_long_acts()
    if searches.has_waiting():
        waking.wake_solver()
    if films.is_any_waiting():
        waking.wake_drawer()


@shared_task(name="contest.tasks.check_compiler")
def check_compiler() -> None:
    """Report that this worker's searches fail while numba is not installed."""
    from solvers.sokoban.solving.compiling import NoCompiler, require_compiler  # loads numba, which only searches need

    try:
        require_compiler()
    except NoCompiler:
        health.note_no_compiler()


def ask_witnesses() -> None:
    """Have witnesses countersign the newest checkpoint; an unreachable one is asked again every five minutes."""
    try:
        asking.ask_all()
    except Exception:
        log.exception("The witnesses could not be asked.")


@shared_task(name="contest.tasks.advance")
def advance() -> None:
    """Create the due rounds of series (rule 23.1), finalise quiet rounds (rule 14.7), remind organisers, clean up."""
    at = clock.now()
    chain.note_complete(at)
    series.advance(at)
    by_itself.finalise_quiet(at)
    second_looks.remind(at)
    if checkpoints.make_hourly(at) or is_first("witnesses", _ASK_AGAIN_SECONDS):
        ask_witnesses()
    imports.forget_old(at)
    prizes.forget_old(at)
    resting.forget_old(at)
    entering.forget_networks(at)
    votes.forget_networks(at)
    films.delete_unused(at)
    if is_first("sessions", _TIDY_SECONDS):
        SessionStore.clear_expired()
    searches.tidy()


@shared_task(name="contest.tasks.prune")
def prune() -> None:
    """Prune long rejected texts, once a day."""
    pruning.prune_daily(clock.now_at_database())


@shared_task(name="contest.tasks.count")
def count_visitors() -> None:
    """Count visitors, and precompute the pages over all rounds, so that no reader waits for them."""
    viewer, at = Viewer(), clock.now()
    visitors.keep_counts(at)
    all_rounds.of_site(viewer, at)
    hall_of_fame.hall(viewer, at).make()
    for language, _name in settings.LANGUAGES:
        _count_countries(language, viewer, at)
    ratings.current().make()


def _count_countries(language: str, viewer: Viewer, at: datetime) -> None:
    with override(language):
        hall_of_fame.countries(viewer, at)


@shared_task(name="contest.tasks.back_up", soft_time_limit=_BACKUP_LIMIT_SECONDS, time_limit=_BACKUP_LIMIT_SECONDS + 60)
def back_up() -> None:
    """Make the backup requested on the desk, if any."""
    asked_backups.make()


@shared_task(name="contest.tasks.tell")
def send_webhooks() -> None:
    """Send events to webhooks."""
    at = clock.now()
    events.record_events(at)
    webhooks.collect(at)
    webhooks.deliver()


@shared_task(name="contest.tasks.take_in")
def read_collections() -> None:
    """Read waiting collections."""
    waking.clear_mark("take_in")
    if intakes.work_until_empty():
        waking.wake_intakes()


@shared_task(
    name="contest.tasks.import_rounds", soft_time_limit=_IMPORT_LIMIT_SECONDS, time_limit=_IMPORT_LIMIT_SECONDS + 60
)
def import_rounds() -> None:
    """Check or import the rounds that organisers brought; other long work continues in between."""
    waking.clear_mark("import_rounds")
    imports.work_until_empty(_Rest())


@shared_task(
    name="contest.tasks.carry_out", soft_time_limit=_IMPORT_LIMIT_SECONDS, time_limit=_IMPORT_LIMIT_SECONDS + 60
)
def carry_out() -> None:
    """Carry out acts of organisers that change many rows; other long work continues in between."""
    waking.clear_mark("carry_out")
    long_acts.work_until_empty(_Rest())


@shared_task(name="contest.tasks.draw")
def draw() -> None:
    """Draw waiting animations."""
    waking.clear_mark("draw")
    films.draw_waiting()
    if films.is_any_waiting():
        waking.wake_drawer()


@shared_task(name="contest.tasks.search", soft_time_limit=_SEARCH_LIMIT_SECONDS, time_limit=_SEARCH_LIMIT_SECONDS + 60)
def search() -> None:
    """Run waiting searches. Each runs in its own process, so other long work continues."""
    waking.clear_mark("search")
    if searches.work_until_empty(_PeriodicTasks()):
        waking.wake_solver()


class _Rest:
    """Called after each transaction of a long job: rest for as long as it took, then run the periodic tasks.

    On SQLite everybody else waits for such a transaction.
    """

    def __init__(self) -> None:
        self._periodic, self._began = _PeriodicTasks(), time.monotonic()

    def __call__(self) -> None:
        time.sleep(time.monotonic() - self._began)
        self._periodic()
        self._began = time.monotonic()


class _PeriodicTasks:
    """Other tasks of the worker, run every fifteen seconds while a search runs."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PERIODIC_SECONDS

    def __call__(self) -> None:
        if time.monotonic() >= self._next:
            for task in (draw, read_collections, send_mail, send_webhooks):
                task()
            self._next = time.monotonic() + _PERIODIC_SECONDS


@shared_task(name="contest.tasks.solve_klotski")
def solve_klotski(start: str, target: str) -> None:
    """Answer a strict question of the lab. Runs on the queue of long work."""
    klotski.solve_and_cache(start, target)


@shared_task(name="contest.tasks.measure_speed")
def measure_speed() -> None:
    """Time the path search of the lab's hall. Runs on the queue of long work."""
    speed.measure_and_cache(clock.now())


@shared_task(name="contest.tasks.mail")
def send_mail() -> None:
    """Write letters about recent events, and send some waiting letters."""
    digest.create_mailings(clock.now())
    delivery.send()
