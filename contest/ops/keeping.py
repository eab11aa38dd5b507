"""Scheduled backups in one folder, and their retention."""

import logging
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from contest.infra import clock
from contest.ops import asked_backups, backups

log = logging.getLogger(__name__)

_NAME = "leitai-%Y-%m-%dT%H%M%SZ.zip"
_OURS = "leitai-????-??-??T??????Z.zip"


def make_due(folder: Path, *, daily_at: time, max_backups: int) -> Path | None:
    """Make the backup that is due in *folder*, if any, and then delete all but the newest *max_backups*.

    One is due daily from *daily_at* (UTC) on, even if that time was missed, and after a request on
    the desk. Raise BadBackup.
    """
    now = clock.now().astimezone(UTC)
    due_from = datetime.combine(now.date(), daily_at, UTC)
    if due_from > now:
        due_from -= timedelta(days=1)
    if any(_taken_at(file) >= due_from for file in files_in(folder)) and not asked_backups.is_asked():
        return None
    for partial in folder.glob(f"{_OURS}.partial"):  # left by a killed run, with its empty placeholder
        partial.unlink()
        partial.with_suffix("").unlink(missing_ok=True)
    backup = folder / now.strftime(_NAME)
    backups.write(backup)
    for old in files_in(folder)[max_backups:]:
        old.unlink()
        log.info("Deleted the backup %s: %s newer ones are kept.", old.name, max_backups)
    return backup


def files_in(folder: Path) -> list[Path]:
    """Return whole backups with our file names, newest first; no other file in the folder is read or deleted."""
    return sorted((file for file in folder.glob(_OURS) if _is_whole(file)), reverse=True)


def _is_whole(file: Path) -> bool:
    try:
        _taken_at(file)
    except ValueError:
        return False
    return file.stat().st_size > 0  # empty while the backup is being written


def _taken_at(file: Path) -> datetime:
    return datetime.strptime(file.name, _NAME).replace(tzinfo=UTC)
