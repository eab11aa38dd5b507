"""The Celery application.

Tasks carry no submissions: the submission table is the queue, and the task `judge` only notifies a worker
(docs/explanation/judging.md). `tasks`: the tasks · `waking`: sends notifications · `sweeping`: finds rows without one.
"""

import logging
import os
from typing import Any

from celery import Celery
from celery.signals import (
    task_failure,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_ready,
    worker_shutting_down,
)

from contest.celery import sweeping

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")

app = Celery("contest")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["contest.celery"])
app.autodiscover_tasks(["contest.api.feeds"], related_name="nightly")
app.steps["worker"].add(sweeping.Sweep)
app.steps["consumer"].add(sweeping.Connected)

log = logging.getLogger(__name__)

# Django is not set up yet when this module is imported, so the handlers below import what needs it.


@worker_init.connect
def switch_threads_often(**_: object) -> None:
    from contest.front import slots

    slots.switch_threads_often()


@worker_ready.connect
@worker_process_init.connect
def freeze_loaded_objects(**_: object) -> None:
    """Exclude code and settings from garbage collection, so that it delays no verdict."""
    from contest.front import memory

    memory.freeze_loaded_objects()


@worker_shutting_down.connect
def give_back_claims(**_: object) -> None:
    """On SIGTERM, release the rows that this process holds, so that they need not wait for its leases to end."""
    from contest import judging
    from contest.replays import animations
    from contest.vetting import worker as searches

    for part in (judging, animations, searches):
        part.stop()


@task_prerun.connect
def close_broken_connections(**_: object) -> None:
    """Reconnect after a restart of the database: connections outlive tasks here."""
    from django.db import close_old_connections

    close_old_connections()


@task_prerun.connect
def read_site_identity(**_: object) -> None:
    from contest.infra import identity

    identity.refresh()


@task_postrun.connect
def flush_metrics(**_: object) -> None:
    from contest.ops import metrics

    metrics.flush()


@task_failure.connect
def count_failure(sender: Any, **_: object) -> None:
    """Count a failed task."""
    from contest.ops import metrics

    metrics.count_failed_task(sender.name.removeprefix("contest."))
    metrics.flush()
