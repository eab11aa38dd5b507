"""Control of the searching process by the worker: start, ask, monitor, kill."""

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

_TICK_SECONDS = 0.5
_ROOT = Path(__file__).parents[2]
# Allowed beyond a question's own budget: compilation on a new machine, and the last batch of a search.
_SPARE_SECONDS = 600.0
_SPARE_MEGABYTES = 1500
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class SearchFailed(Exception):
    """The process ended without an answer or was killed; the message says why."""


class SearchProcess:
    """At most one process, started at the first question and reused for the next; killed on exit."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._buffer = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def end(self) -> None:
        """Kill the process; only its own search is lost."""
        if self._child is None:
            return
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._child, self._buffer = None, b""

    def answer(self, question: dict[str, Any], report: Callable[[dict[str, Any] | None], None]) -> dict[str, Any]:
        """Ask, and wait for the answer; *report* is called with each progress, and twice a second with None.

        An exception from *report* kills the process, and so does far exceeding its budget. Raise SearchFailed.
        """
        try:
            return self._answer(question, report)
        except BaseException:
            self.end()
            raise

    def _answer(self, question: dict[str, Any], report: Callable[[dict[str, Any] | None], None]) -> dict[str, Any]:
        child = self._start()
        assert child.stdin is not None  # noqa: S101 - a pipe
        cpu_limit = self._cpu_seconds(child.pid) + question["seconds"] + _SPARE_SECONDS
        try:
            child.stdin.write(json.dumps(question).encode() + b"\n")
            child.stdin.flush()
        except OSError:
            raise SearchFailed("the process has ended") from None
        reported_at = time.monotonic()
        while True:
            for line in self._lines(child):
                if "done" in line:
                    done: dict[str, Any] = line["done"]
                    return done
                if "error" in line:
                    raise SearchFailed(line["error"])
                report(line["progress"])
                reported_at = time.monotonic()
            if time.monotonic() - reported_at >= _TICK_SECONDS:
                report(None)
                reported_at = time.monotonic()
            if self._cpu_seconds(child.pid) > cpu_limit:
                raise SearchFailed("it went on after its CPU seconds")
            if self._megabytes(child.pid) > question["megabytes"] + _SPARE_MEGABYTES:
                raise SearchFailed("it took more memory than it was given")

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._child is None or self._child.poll() is not None:
            self.end()
            self._child = subprocess.Popen(
                [sys.executable, "-m", "contest.vetting.searcher"],
                cwd=_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._child

    def _lines(self, child: "subprocess.Popen[bytes]") -> list[dict[str, Any]]:
        """Return the lines written so far, after a short wait."""
        assert child.stdout is not None  # noqa: S101 - a pipe
        ready, _w, _x = select.select([child.stdout], [], [], _TICK_SECONDS)
        if not ready:
            return []
        read = os.read(child.stdout.fileno(), 1 << 20)
        if not read:
            raise SearchFailed("the process has ended")
        *lines, self._buffer = (self._buffer + read).split(b"\n")
        return [json.loads(line) for line in lines]

    @staticmethod
    def _cpu_seconds(pid: int) -> float:
        """Return the CPU seconds spent; 0 on systems without /proc."""
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @staticmethod
    def _megabytes(pid: int) -> int:
        try:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except OSError:
            return 0
        return pages * _PAGE >> 20
