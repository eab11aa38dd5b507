"""Faults inside the processes: imported only by the entry points in this folder, never by the site.

An order is an empty file in CHAOS_FOLDER; the process that removes it executes it, so this happens once. A mark is
such a file, too, with the state of a process: `<mark> <part>`.
"""

import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from contest.infra import clock
from contest.judging import judge, record
from contest.models import Submission
from contest.submissions import store
from tests.chaos.senders import CRASHES, KILLS

FOLDER, PART = Path(os.environ["CHAOS_FOLDER"]), os.environ["CHAOS_PART"]
# How far a machine's own clock is ahead of the database's.
SKEW = timedelta(seconds=float(os.environ.get("CHAOS_SKEW", "0")))


def is_ordered(name: str) -> bool:
    """Return whether *name* was ordered, and remove the order."""
    try:
        (FOLDER / name).unlink()
    except FileNotFoundError:
        return False
    return True


def die() -> None:
    os.killpg(0, signal.SIGKILL)


def stall() -> None:
    """Block until the mark is removed.

    Only this thread: another may be in the middle of a write, and SQLite never ends the lock of a blocked process.
    """
    mark = set_mark("stalled")
    while mark.exists():
        time.sleep(0.05)


def set_mark(name: str) -> Path:
    mark = FOLDER / f"{name} {PART}"
    mark.touch()
    return mark


def install() -> None:
    _move_the_clock()
    _poison_the_judge()
    _poison_the_store()
    set_mark("open")


def _move_the_clock() -> None:
    now, now_at_database, sql_at_database = clock.now, clock.now_at_database, clock.sql_at_database

    def jump() -> timedelta:
        try:
            return timedelta(seconds=float((FOLDER / "clock").read_text()))
        except FileNotFoundError:
            return timedelta()

    def shared() -> datetime:
        return now_at_database() + jump()

    def own() -> datetime:
        return now() + jump() + SKEW

    def shared_in_sql(later: timedelta = timedelta(0)) -> tuple[str, list[Any]]:
        # On SQLite it calls the function above.
        return sql_at_database(later + jump() if connection.vendor == "postgresql" else later)

    clock.now, clock.now_at_database, clock.sql_at_database = own, shared, shared_in_sql


def _poison_the_judge() -> None:
    outcome_of, write = judge.outcome_of, record.write

    def poisoned(submission: Submission, levels: Any) -> Any:
        """Only for claimed rows: other replays, such as the canary, hold none."""
        set_mark("at work")
        text = bytes(submission.text).decode()
        if KILLS in text or is_ordered("die while judging") or (SKEW and is_ordered("die ahead of time")):
            die()
        if CRASHES in text:
            raise RuntimeError(CRASHES)
        if is_ordered("stall while judging"):
            stall()
        return outcome_of(submission, levels)

    def write_or_not(token: UUID | None, rows: Sequence[Mapping[str, Any]]) -> record.Written | None:
        # In a transaction, so that everything is written and not yet committed.
        with transaction.atomic():
            written = write(token, rows)
            if is_ordered("die while recording"):
                die()
            if is_ordered("stall while recording"):
                stall()
            return written

    judge.outcome_of = poisoned
    record.write = write_or_not


def _poison_the_store() -> None:
    answers = store.Store.answers

    def answer_or_not(batch: store.Store) -> Sequence[Any]:
        # For batches of several senders, with everything written and not yet committed.
        answered = answers(batch)
        if len(answered) > 1 and is_ordered("die while storing"):
            die()
        if len(answered) > 1 and is_ordered("stall while storing"):
            stall()
        return answered

    store.Store.answers = answer_or_not


class DyingOnOrder:
    """The web server's *application*, which on order dies after the work is done and before the response is sent."""

    def __init__(self, application: Any) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body: Iterable[bytes] = self._application(environ, start_response)
        if environ["REQUEST_METHOD"] == "POST" and is_ordered("die before the answer"):
            die()
        return body

    def answer_batch(self, calls: Sequence[tuple[dict[str, Any], Callable[..., Any]]]) -> list[Any]:
        answers: list[Any] = self._application.answer_batch(calls)
        if any(answer is not None for answer in answers) and is_ordered("die before the answer"):
            die()
        return answers
