"""The database's file: nobody else's to read, and never made anew where there was one."""

import errno
import logging
import os
from pathlib import Path

from django.conf import settings

log = logging.getLogger(__name__)

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


class DatabaseGone(Exception):
    """There was a database at *path*, and it is not there now."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The database {path} was moved away or deleted. Nothing is written to a new one: put it back, "
            f"or delete {mark_of(path)} to begin with an empty one."
        )


def mark_of(path: Path) -> Path:
    """The file that says that there has been a database at *path*."""
    return path.with_name(f"{path.name}.lock")


def prepare(path: Path) -> int:
    """See to the database's file before it is opened; return its number on the disk. Raise DatabaseGone, or OSError.

    One that may not be written to is not opened: SQLite would open it to be read, and share that, until the last
    connection of this process ends, with all that are opened when it may be written to again.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        if mark_of(path).exists():
            raise DatabaseGone(path) from None
        _make(path)
        found = path.stat()
    if not os.access(path, os.W_OK):
        raise OSError(errno.EROFS, "it may not be written to")
    if found.st_mode & 0o077:
        _close(path, PRIVATE_FILE)
    folder = path.parent
    if folder == Path(settings.DATA_DIR) and folder.stat().st_mode & 0o077:
        _close(folder, PRIVATE_FOLDER)
    return found.st_ino


def is_there(path: Path, number: int) -> bool:
    """Whether the file of this *number* is still at *path*."""
    try:
        return path.stat().st_ino == number
    except FileNotFoundError:
        return False


def _make(path: Path) -> None:
    """Make both files: from now on the database is missed where it is not there."""
    for file in (path, mark_of(path)):
        os.close(os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE_FILE))


def _close(path: Path, mode: int) -> None:
    """Take *path* from everybody but its owner, or say that they must."""
    try:
        path.chmod(mode)
    except PermissionError:
        log.warning("%s can be read by others, and is not ours to change: chmod %o %s", path, mode, path)
    else:
        log.warning("%s could be read by others: it has the mode %o now.", path, mode)
