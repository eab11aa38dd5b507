"""Readiness of the site: the database, the broker, and a judge that judges (docs/how-to/operations.md)."""

import logging
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import redis
from django.conf import settings
from django.db import Error
from django.db.models import DateTimeField
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from contest.infra import cache, clock
from contest.models import Heartbeat, Part, Submission
from solvers.sokoban import Level
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.readers import Outcome, Reader

log = logging.getLogger(__name__)

_CANARY_INTERVAL = timedelta(seconds=5)
# Web processes record a heartbeat every 15 seconds: if that fails, no submission can be stored.
_MAX_WRITE_AGE = 60.0
# A single machine has its data here, and SQLite needs space for its write-ahead log.
_MIN_FREE_BYTES = 32_000_000
# A solve worker that cannot search reports this every 15 seconds.
_NO_COMPILER, _NO_COMPILER_SECONDS = "no-compiler", 60
_CANARY = ("######|#@-$.#|######", "rR")


@dataclass(frozen=True)
class Readiness:
    """A part of the site: whether it is ready, and the figures that explain it."""

    is_ready: bool
    figures: dict[str, float | None] = field(default_factory=dict)


# Every worker calls this every few seconds.
def last_beat(part: Part) -> Heartbeat | None:
    """Return the last heartbeat of *part*; None if there was none."""
    return Heartbeat.objects.filter(part=part).first()


def judge_canary() -> None:
    """Judge a known solution and record the time; at most once in some seconds for all workers together."""
    at = clock.now_at_database()
    last = last_beat(Part.JUDGE)
    if last and abs(at - last.beat_at) < _CANARY_INTERVAL:
        return
    board, moves = _CANARY
    verdict = readers.judge([Level.parse(board)], moves, Reader.RUN_LENGTH, limit=len(moves))
    if verdict.outcome is not Outcome.SOLVED:
        log.critical("The judge calls a known solution %s.", verdict.outcome)
        return
    if not last or not Heartbeat.objects.filter(part=Part.JUDGE).update(beat_at=at):
        Heartbeat.objects.update_or_create(part=Part.JUDGE, defaults={"beat_at": at})


def note_no_compiler() -> None:
    """Report that a solve worker runs without numba: all but its easiest searches fail."""
    cache.raise_flag(_NO_COMPILER, _NO_COMPILER_SECONDS)


Ages = Mapping[str, float]


def ages() -> Ages:
    """Return the seconds since each part's last heartbeat; parts without one are missing. One query."""
    now = RawSQL(*clock.sql_at_database(), output_field=DateTimeField())  # noqa: S611 - words of our own
    beats = Heartbeat.objects.filter(part__in=Part.values).annotate(now=now).values_list("part", "beat_at", "now")
    return {part: max(0.0, (now - beat_at).total_seconds()) for part, beat_at, now in beats}


def readiness(known: Ages | None = None) -> dict[str, Readiness]:
    """Check every part, with ages from *known* if given; an error of one part does not prevent the others' checks."""
    judge = _judge(known) or Readiness(is_ready=False)
    return {"database": _database(known), "disk": disk(), "broker": broker(), "judge": judge, "solver": solver()}


def _database(known: Ages | None) -> Readiness:
    """Check that the database answers and the web can write to it: with a full disk, reads still work."""
    try:
        age = _age(Part.WEB, known)
    except Error:
        return Readiness(is_ready=False)
    return Readiness(age is None or age <= _MAX_WRITE_AGE, {"written_seconds": age})


def disk() -> Readiness:
    """Check that there is space where this process stores its data."""
    folder = settings.DATA_DIR if settings.DATA_DIR.exists() else settings.BASE_DIR
    free = shutil.disk_usage(folder).free
    return Readiness(free >= _MIN_FREE_BYTES, {"free_bytes": float(free)})


def broker() -> Readiness:
    """Check that the broker answers and accepts a write: a full Redis still answers."""
    try:
        with redis.Redis.from_url(settings.BROKER_URL, **settings.REDIS_PATIENCE) as broker:
            broker.set("asked", 1, ex=60)
    except redis.RedisError:
        return Readiness(is_ready=False)
    return Readiness(is_ready=True)


def solver() -> Readiness:
    """Check that no solve worker reports that it cannot search; a site need not have one."""
    return Readiness(not cache.is_raised(_NO_COMPILER))


def _judge(known: Ages | None) -> Readiness | None:
    """Check that a canary was judged lately and no submission has waited too long: a running process proves nothing.

    Return None if the database does not answer.
    """
    try:
        canary, oldest = _age(Part.JUDGE, known), oldest_waiting_seconds()
    except Error:
        return None
    is_late = canary is None or canary > settings.CANARY_SECONDS or (oldest or 0) > settings.WAITING_SECONDS
    return Readiness(not is_late, {"canary_seconds": canary, "oldest_waiting_seconds": oldest})


def trouble(known: Ages | None = None) -> str:
    """Return messages about all parts that do not work; empty if all do."""
    messages = {
        "database": _("The database does not respond or cannot be written to."),
        "disk": _("The disk is full."),
        "broker": _("Redis does not respond or accepts no more data: judging is delayed."),
    }
    messages["judge"] = _("No worker is judging, or submissions wait too long.")
    messages["solver"] = _("The solver cannot search: numba is not installed where the solve worker runs.")
    return " ".join(messages[part] for part, state in readiness(known).items() if not state.is_ready)


def canary_seconds() -> float | None:
    """Return the seconds since a worker last judged the canary; None if never."""
    return _age(Part.JUDGE)


def note_backup(file: Path, rows: int) -> None:
    """Record for the desk that the backup *file* with *rows* rows was made."""
    backup_count = sum(1 for _file in file.parent.glob("*.zip"))
    facts = {"bytes": file.stat().st_size, "rows": rows, "kept": backup_count}
    Heartbeat.objects.update_or_create(part=Part.BACKUP, defaults={"beat_at": clock.now_at_database(), "facts": facts})


def backup_seconds() -> float | None:
    """Return the seconds since the last backup; None if there was none."""
    return _age(Part.BACKUP)


def oldest_waiting_seconds() -> float | None:
    """Return how many seconds the oldest submission without a verdict has waited; None if none waits."""
    oldest = Submission.objects.waiting().order_by("number").only("received_at", "turn_at", "reader").first()
    return None if oldest is None else max(0.0, (clock.now_at_database() - oldest.came_at).total_seconds())


def _age(part: Part, known: Ages | None = None) -> float | None:
    return (ages() if known is None else known).get(part)
