"""Notifications ("hints"): tasks that announce waiting rows. If one is lost, a periodic task finds the row."""

import logging

from django.conf import settings
from django.core.cache import cache

from contest.celery import app
from contest.infra.circuit_breaker import Breaker

log = logging.getLogger(__name__)

LONG_WORK = "solve"
_MARK_SECONDS = 30
# The page asks again after this time. Letters, which wait in the same queue, expire only later.
_KLOTSKI_SECONDS = 10
_SPEED_SECONDS = 600
breaker = Breaker()


def wake_judge() -> bool:
    """Have a worker judge the waiting rows; return True if a notification is on its way."""
    return _wake("judge", settings.CELERY_TASK_DEFAULT_QUEUE)


def wake_solver() -> None:
    """Have a worker run the waiting searches."""
    _wake("search", LONG_WORK)


def wake_intakes() -> None:
    """Have a worker read the waiting collections."""
    _wake("take_in", LONG_WORK)


def wake_imports() -> None:
    """Have a worker check or import the waiting rounds."""
    _wake("import_rounds", LONG_WORK)


def wake_long_acts() -> None:
    """Have a worker carry out the waiting acts of organisers."""
    _wake("carry_out", LONG_WORK)


def wake_drawer() -> None:
    """Have a worker draw the waiting animations."""
    _wake("draw", LONG_WORK)


def _wake(task: str, queue: str) -> bool:
    """Send a notification unless one is pending; return True if one was sent or is pending.

    The first sender sets a mark, which the task clears before it polls for the last time.

    If the broker is down, log a warning and skip it for some seconds: the sender's response is unaffected.
    """
    if breaker.is_open:
        return False
    try:
        if cache.add(_mark(task), 1, _MARK_SECONDS):
            app.send_task(f"contest.tasks.{task}", ignore_result=True, queue=queue, expires=_MARK_SECONDS)
    except Exception as error:  # whatever the broker or cache client raises: the row is stored anyway
        breaker.trip()
        log.warning("No hint was sent (%s); the row waits for the next sweep.", error)
        return False
    return True


def clear_mark(task: str) -> None:
    """Clear the mark, so that the next sender notifies *task* again."""
    try:
        cache.delete(_mark(task))
    except Exception:  # a cache that is down must not stop the worker
        log.warning("The mark of the task %s could not be cleared.", task)


def _mark(task: str) -> str:
    return f"{task}-wake"


def ask_klotski(start: str, target: str) -> None:
    """Send a question of the lab to a worker; if the broker is down, the page asks again."""
    _ask("solve_klotski", (start, target), _KLOTSKI_SECONDS)


def ask_speed() -> None:
    """Let a worker time the path search of the lab's hall; if the broker is down, a later visit asks again."""
    _ask("measure_speed", (), _SPEED_SECONDS)


def _ask(task: str, arguments: tuple[str, ...], seconds: int) -> None:
    """Send a question of the lab, which expires after *seconds*."""
    try:
        app.send_task(f"contest.tasks.{task}", arguments, ignore_result=True, queue=LONG_WORK, expires=seconds)
    except Exception as error:  # whatever the broker's client raises
        log.warning("A question of the lab was not sent (%s).", error)
