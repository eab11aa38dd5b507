"""Worker step of the queue `judge`: find rows with a lost notification, and judge them if the broker is down.

See docs/explanation/decisions/celery-judges.md.
"""

import logging
from threading import Event
from typing import Any

from celery import bootsteps
from celery.utils.timer2 import Timer

log = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0
_is_connected = Event()


class Connected(bootsteps.StartStopStep):
    """Record whether this worker is connected to the broker and gets tasks; Celery reconnects up to 30 s late."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, _parent: Any) -> None:
        _is_connected.set()

    def stop(self, _parent: Any) -> None:
        _is_connected.clear()


class Sweep(bootsteps.StartStopStep):
    """Call `sweep` every two seconds by Celery's own timer. Starts before the broker is connected."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, _parent: Any, **_options: object) -> None:
        self._timer = Timer()

    def include_if(self, parent: Any) -> bool:
        return parent.app.conf.task_default_queue in parent.app.amqp.queues.consume_from

    def start(self, _parent: Any) -> None:
        self._timer.call_repeatedly(SWEEP_SECONDS, sweep)

    def stop(self, _parent: Any) -> None:
        self._timer.stop()


def sweep() -> None:
    """Notify a worker if rows wait; judge them in this thread if the notification cannot reach this worker."""
    from django.db import close_old_connections  # Django is not set up yet when this module is imported

    from contest import judging
    from contest.celery import waking
    from contest.ops import metrics

    try:
        close_old_connections()
        metrics.flush()  # from an earlier sweep: with the pool `prefork` no task runs in this process
        if not judging.has_waiting():
            return
        waking.clear_mark("judge")
        if not (_is_connected.is_set() and waking.wake_judge()):
            judging.judge_until_empty()
    except Exception:
        log.exception("The sweep failed; the next one comes in %s seconds.", SWEEP_SECONDS)
