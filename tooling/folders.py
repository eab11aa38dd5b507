"""Paths of the project and folders for data and sockets."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from tooling.terminal import Problem

ROOT = Path(__file__).resolve().parent.parent
PRIVATE = 0o700  # the data folder holds names, addresses and the secret key


def writable(folder: Path, mode: int = 0o755) -> Path:
    """Return *folder*, created if missing; raise Problem if it is not writable."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise Problem(f"Cannot write to {folder}: {error.strerror}.") from None


def private_folder() -> Path:
    """Return a new folder with a path short and simple enough for a Unix socket in it."""
    short = Path("/tmp")
    return Path(tempfile.mkdtemp(prefix="leitai-", dir=short if os.access(short, os.W_OK) else None))


def socket_folder(wanted: Path) -> Path:
    """Return *wanted*, or a private folder if a Unix socket in *wanted* would have too long or unusual a path."""
    path = str(wanted / "redis.sock")
    return wanted if len(path) < 100 and re.fullmatch(r"[\w./+-]+", path, re.ASCII) else private_folder()


def data_folder() -> Path:
    return Path(os.environ.get("DATA_DIR") or ROOT / ".data").expanduser().absolute()
