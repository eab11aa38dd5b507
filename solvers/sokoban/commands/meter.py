"""Progress of long operations, and output of their results line by line."""

import json
import sys
import time
from collections.abc import Iterable, Iterator

from solvers.sokoban.commands.reading import NOT_SOLVED, SUCCESS


class Meter:
    """Progress display on standard error, if that is a terminal."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._last = time.monotonic()
        self._has_output = False
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def show(self, done: int, total: int | None = None) -> None:
        if self._is_terminal and time.monotonic() - self._last > 0.2:
            self._last, self._has_output = time.monotonic(), True
            total_text = f" of {total}" if total else ""
            print(f"\r{done}{total_text} {self._unit}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._has_output:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def count(self, lines: Iterable[str]) -> Iterator[str]:
        for number, line in enumerate(lines, 1):
            yield line
            self.show(number)
        self.end()


def write_lines(lines: Iterable[str], unit: str) -> int:
    """Write JSON lines, flushing each so that another program can respond. Return 1 if any line has `error`."""
    code = SUCCESS
    for line in Meter(unit).count(lines):
        print(line, flush=True)
        if '"error": ' in line and "error" in json.loads(line):
            code = NOT_SOLVED
    return code
