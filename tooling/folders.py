"""Where things are kept."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from tooling.terminal import Problem

ROOT = Path(__file__).resolve().parent.parent
PRIVATE = 0o700  # the data folder: names, addresses and the key


def writable(folder: Path, mode: int = 0o755) -> Path:
    """Return *folder*, created where it is missing; raise Problem where it cannot be written to."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise Problem(f"Cannot write to {folder}: {error.strerror}.") from None


def private_folder() -> Path:
    """Return a new folder whose path is short and plain enough for a Unix socket in it."""
    short = Path("/tmp")
    return Path(tempfile.mkdtemp(prefix="leitai-", dir=short if os.access(short, os.W_OK) else None))


def socket_folder(wanted: Path) -> Path:
    """Return *wanted*, or a private folder where a Unix socket in it would have too long or too odd a path."""
    path = str(wanted / "redis.sock")
    return wanted if len(path) < 100 and re.fullmatch(r"[\w./+-]+", path, re.ASCII) else private_folder()


def data_folder() -> Path:
    return Path(os.environ.get("DATA_DIR") or ROOT / ".data").expanduser().absolute()
