"""The Celery application: it carries wake-ups, never the submissions themselves (docs/judging.md)."""

import logging
import os
from threading import Event, Thread

from celery import Celery
from celery.signals import task_prerun, worker_init, worker_shutdown, worker_shutting_down

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")

app = Celery("contest")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

log = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0
_stop = Event()
_sweeper: list[Thread] = []


def _sweep() -> None:
    """Judge what waits, whether or not a wake-up came: a broker that is down or forgetful costs some seconds."""
    while not _stop.wait(SWEEP_SECONDS):
        try:
            _close_stale_connections()
            app.tasks["contest.tasks.judge"]()
            app.tasks["contest.tasks.keep_watch"]()
        except Exception:
            log.exception("A sweep failed; the next one tries again.")


def _close_stale_connections() -> None:
    from django.db import close_old_connections  # Django is not set up yet when this module is imported

    close_old_connections()


@worker_init.connect
def start_sweeping(**_: object) -> None:
    """Start before the broker is asked for: the sweep must not need it."""
    _stop.clear()
    _sweeper.append(Thread(target=_sweep, name="sweep", daemon=True))
    _sweeper[-1].start()


@worker_shutting_down.connect
def give_back_what_is_held(**_: object) -> None:
    """On TERM: nobody should have to wait for this worker's lease to end."""
    from contest import judging
    from contest.replays import animations as films
    from contest.vetting import worker as searches  # Django is not set up yet when this module is imported

    judging.stop()
    films.stop()
    searches.stop()


@worker_shutdown.connect
def finish_sweeping(**_: object) -> None:
    """Let a sweep that is under way finish what it holds."""
    _stop.set()
    for thread in _sweeper:
        thread.join(timeout=20)


@task_prerun.connect
def drop_broken_connections(**_: object) -> None:
    """A database that was restarted must not break the next task: connections outlive tasks here."""
    _close_stale_connections()
