"""Terminal output and signal handling."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import sys
import time
from pathlib import Path
from types import FrameType


class Problem(Exception):
    """An error that stops dev.py, described in one line for the terminal."""


class Interrupted(Exception):
    """Ctrl-C, or a TERM or HUP signal."""


# Signals: the handler only sets a flag, which is checked where we wait. This way no signal can interrupt us between
# starting a process and recording it.

_stop_requested = False


def _request_stop(_number: int, _frame: FrameType | None) -> None:
    global _stop_requested  # noqa: PLW0603 - a signal handler has no other way to tell
    _stop_requested = True


def listen_for_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _request_stop)


def pause(seconds: float) -> None:
    """Wait; raise Interrupted if a signal asks us to stop."""
    until = time.monotonic() + seconds
    while not _stop_requested:
        left = until - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, 0.1))
    raise Interrupted


def print_line(text: str = "") -> None:
    print(text, flush=True)


def show_progress(text: str) -> None:
    """Rewrite one line of a terminal; print nothing to a file or a pipe."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        print(f"\r\033[K{text[: width - 1]}", end="", flush=True)


def last_lines(log: Path | None, count: int = 12) -> str:
    """Return the end of *log*, indented."""
    with contextlib.suppress(OSError):
        lines = (log.read_bytes() if log else b"")[-20_000:].decode(errors="replace").rstrip().splitlines()
        return "\n".join(f"    {line}" for line in lines[-count:])
    return ""


def cause(text: str) -> str:
    """Return the line of a command's output that explains its failure.

    >>> cause("Resolved 3 packages\\nerror: Failed to fetch: `numpy`\\n  Caused by: operation timed out\\n")
    'error: Failed to fetch: `numpy`'
    >>> cause("error: Failed to install: x\\n  Caused by: No space left on device (os error 28)")
    'the disk is full'
    """
    if "No space left on device" in text:
        return "the disk is full"
    if re.search(r"name resolution|NewConnectionError|dns error|Network is unreachable|ReadTimeout", text):
        return "the package index cannot be reached; is there a network?"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"([\w.]*error|fatal|E)\b.*:", line, re.IGNORECASE)]
    return (errors or lines or ["no output"])[-1]
