"""Backups by the clock into one folder, and how many of them are kept."""

import logging
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from contest.infra import clock
from contest.ops import asked_backups, backups

log = logging.getLogger(__name__)

_NAME = "leitai-%Y-%m-%dT%H%M%SZ.zip"
_OURS = "leitai-????-??-??T??????Z.zip"


def make_due(folder: Path, *, daily_at: time, most: int) -> Path | None:
    """Make the backup that is due in *folder*, if any, and only then let go of all but the newest *most*.

    One is due each day from *daily_at* (UTC) on, also where the day's moment was missed, and when one was asked for on
    the desk. Raise BadBackup.
    """
    at = clock.now().astimezone(UTC)
    due_from = datetime.combine(at.date(), daily_at, UTC)
    if due_from > at:
        due_from -= timedelta(days=1)
    if any(_taken_at(file) >= due_from for file in files_in(folder)) and not asked_backups.is_asked():
        return None
    for partial in folder.glob(f"{_OURS}.partial"):  # of a run that was killed; its place stays empty
        partial.unlink()
        partial.with_suffix("").unlink(missing_ok=True)
    made = folder / at.strftime(_NAME)
    backups.write(made)
    for old in files_in(folder)[most:]:
        old.unlink()
        log.info("Deleted the backup %s: %s newer ones are kept.", old.name, most)
    return made


def files_in(folder: Path) -> list[Path]:
    """The backups that were made by the clock, newest first; nothing else in the folder is looked at or deleted."""
    return sorted((file for file in folder.glob(_OURS) if _is_whole(file)), reverse=True)


def _is_whole(file: Path) -> bool:
    try:
        _taken_at(file)
    except ValueError:
        return False
    return file.stat().st_size > 0  # its name is reserved, empty, while it is made


def _taken_at(file: Path) -> datetime:
    return datetime.strptime(file.name, _NAME).replace(tzinfo=UTC)
