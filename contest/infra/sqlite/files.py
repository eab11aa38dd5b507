"""The database file: private to its owner, and never created again if it has disappeared."""

import errno
import logging
import os
from pathlib import Path

from django.conf import settings

log = logging.getLogger(__name__)

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


class DatabaseGone(Exception):
    """A database existed at *path*, but the file is gone."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The database {path} was moved away or deleted. Nothing is written to a new one: put it back, "
            f"or delete {marker_path(path)} to begin with an empty one."
        )


def marker_path(path: Path) -> Path:
    """Return the file that marks that a database was created at *path*."""
    return path.with_name(f"{path.name}.lock")


def prepare(path: Path) -> int:
    """Check or create the database file before it is opened; return its inode number. Raise DatabaseGone, or OSError.

    A read-only file is not opened: SQLite would open it read-only and share that file with all later connections, even
    after it becomes writable, until the last connection of this process ends.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        if marker_path(path).exists():
            raise DatabaseGone(path) from None
        _create_files(path)
        status = path.stat()
    if not os.access(path, os.W_OK):
        raise OSError(errno.EROFS, "it may not be written to")
    if status.st_mode & 0o077:
        _make_private(path, PRIVATE_FILE)
    folder = path.parent
    if folder == Path(settings.DATA_DIR) and folder.stat().st_mode & 0o077:
        _make_private(folder, PRIVATE_FOLDER)
    return status.st_ino


def is_there(path: Path, number: int) -> bool:
    """Return whether the file with this inode *number* is still at *path*."""
    try:
        return path.stat().st_ino == number
    except FileNotFoundError:
        return False


def _create_files(path: Path) -> None:
    """Create the database and its mark; from now on a missing database is an error."""
    for file in (path, marker_path(path)):
        os.close(os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE_FILE))


def _make_private(path: Path, mode: int) -> None:
    """Remove the access of other users to *path*, or log that its owner must do it."""
    try:
        path.chmod(mode)
    except PermissionError:
        log.warning("%s can be read by others, and is not ours to change: chmod %o %s", path, mode, path)
    else:
        log.warning("%s could be read by others: it has the mode %o now.", path, mode)
