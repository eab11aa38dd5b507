"""The Celery application: it carries wake-ups, never the submissions themselves (docs/judging.md).

`tasks` one call each · `waking` the hints that call for them.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event, Thread
from typing import Any

from celery import Celery
from celery.signals import task_failure, task_prerun, worker_init, worker_ready, worker_shutdown, worker_shutting_down

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")

app = Celery("contest")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["contest.celery"])
app.autodiscover_tasks(["contest.api.feeds"], related_name="nightly")

log = logging.getLogger(__name__)

# What each worker does by itself, each line in a thread of its own and every so many seconds: judging what waits does
# not need the broker, and neither films nor a slow receiver of letters or webhooks nor a dump hold up the others.
# A task comes in every so many rounds: the rarer what is not urgent, the fewer verdicts meet it.
_ROUNDS = {
    "sweep": (2.0, {"contest.tasks.sweep": 1, "contest.tasks.keep_watch": 2}),
    "letters": (15.0, {"contest.tasks.mail": 1}),
    "webhooks": (15.0, {"contest.tasks.tell": 1}),
    "dumps": (300.0, {"contest.api.feeds.nightly.dump": 1}),
}
_LACK_SECONDS = 15.0
# While they work, verdicts are due, too: each of these waits some ten times for the database, and after each wait for
# the thread that works now to make way.
_SWITCH_SECONDS = 0.000_5
_stop = Event()
_threads: list[Thread] = []


def _begin(name: str, act: Callable[..., None], *args: object) -> None:
    _threads.append(Thread(target=act, args=args, name=name, daemon=True))
    _threads[-1].start()


def _go_round(name: str, seconds: float, tasks: Mapping[str, int]) -> None:
    for number in count():
        if _stop.wait(seconds):
            return
        with _failure_counted(name):
            _close_stale_connections()
            for task, every in tasks.items():
                if number % every == 0:
                    app.tasks[task]()


def _judge_when_told(name: str) -> None:
    from contest.celery import waking  # Django is not set up yet when this module is imported

    while not _stop.is_set():
        with _failure_counted(name):
            if not waking.await_hint():
                continue
            if _stop.is_set():  # told to end meanwhile, it judges nothing
                waking.pass_hint_on()
                return
            _close_stale_connections()
            app.tasks["contest.tasks.judge"]()


@contextmanager
def _failure_counted(name: str) -> Iterator[None]:
    try:
        yield
    except Exception:
        log.exception("%s failed; the next round tries again.", name)
        with suppress(Exception):  # whatever it is: without files nothing can be counted, and the rounds go on
            count_failure(None, name)


def _close_stale_connections() -> None:
    from django.db import close_old_connections  # Django is not set up yet when this module is imported

    close_old_connections()


@task_failure.connect
def count_failure(sender: Any, name: str = "", **_: object) -> None:
    """Count what ended in an error (contest.ops.metrics), at once: it may be a child's last word."""
    from contest.ops import metrics  # Django is not set up yet when this module is imported

    metrics.count_failed_task(name or sender.name.removeprefix("contest."))
    metrics.flush()


@worker_init.connect
def start_sweeping(**_: object) -> None:
    """Start before the broker is asked for: the sweep must not need it."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    _stop.clear()
    for name, (seconds, tasks) in _ROUNDS.items():
        _begin(name, _go_round, name, seconds, tasks)


@worker_ready.connect
def listen_for_hints(sender: Any, **_: object) -> None:
    """Judge when told, where messages that call for a judge are taken, too."""
    if app.conf.task_default_queue in sender.app.amqp.queues.consume_from:
        _begin("hints", _judge_when_told, "hints")


@worker_ready.connect
def report_missing_compiler(sender: Any, **_: object) -> None:
    """Report that searches fail, as long as this worker takes them and numba is not installed."""
    from contest.celery.waking import LONG_WORK
    from solvers.sokoban.solving.compiling import NoCompiler, require_compiler

    if LONG_WORK not in sender.app.amqp.queues.consume_from:
        return
    try:
        require_compiler()
    except NoCompiler as error:
        log.error("Searches fail here: %s", error)
        _begin("compiler", _go_round, "compiler", _LACK_SECONDS, {"contest.tasks.note_no_compiler": 1})


@worker_ready.connect
def let_nothing_loaded_delay_verdicts(**_: object) -> None:
    from contest.front.memory import pass_over_what_is_loaded

    pass_over_what_is_loaded()


@worker_shutting_down.connect
def give_back_what_is_held(**_: object) -> None:
    """On TERM: nobody should have to wait for this worker's lease to end."""
    from contest import judging
    from contest.replays import animations as films
    from contest.vetting import worker as searches  # Django is not set up yet when this module is imported

    _stop.set()  # who ends takes no hints
    judging.stop()
    films.stop()
    searches.stop()


@worker_shutdown.connect
def finish_sweeping(**_: object) -> None:
    """Let what is under way finish what it holds."""
    _stop.set()
    for thread in _threads:
        thread.join(timeout=20)


@task_prerun.connect
def drop_broken_connections(**_: object) -> None:
    """A database that was restarted must not break the next task: connections outlive tasks here."""
    _close_stale_connections()
