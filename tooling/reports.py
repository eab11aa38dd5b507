"""Results of each suite: counting and printing."""

from __future__ import annotations

import math
import re
import signal
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

from tooling.processes import TIMED_OUT, Child, stop_children
from tooling.terminal import last_lines, pause, print_line, show_progress


@dataclass(frozen=True)
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def read_junit(text: str) -> Tally:
    """Count the tests in a JUnit report.

    >>> read_junit('<testsuites><testsuite tests="5" failures="1" errors="1" skipped="1"/></testsuites>')
    Tally(passed=2, failed=2, skipped=1)
    """
    total = Tally()
    for suite in ElementTree.fromstring(text).iter("testsuite"):
        tests, failures, errors, skipped = (int(suite.get(name, 0)) for name in JUNIT_COUNTS)
        total += Tally(tests - failures - errors - skipped, failures + errors, skipped)
    return total


JUNIT_COUNTS = ("tests", "failures", "errors", "skipped")


def read_tap(text: str) -> Tally:
    """Count the tests in the TAP output of `node --test`.

    >>> read_tap("ok 1 - a\\n# tests 4\\n# pass 1\\n# fail 1\\n# cancelled 1\\n# skipped 1\\n# todo 0\\n")
    Tally(passed=1, failed=2, skipped=1)

    If the run was stopped before it wrote the totals, count each test that had ended.

    >>> read_tap("ok 1 - a\\nnot ok 2 - b\\nok 3 - c # SKIP\\n")
    Tally(passed=1, failed=1, skipped=1)
    """
    count = {name: int(number) for name, number in re.findall(r"^# (\w+) (\d+)$", text, re.MULTILINE)}
    ended = re.findall(r"^(ok|not ok) \d+[^#\n]*(# (?:SKIP|TODO))?", text, re.MULTILINE)
    if "pass" not in count and ended:
        return sum((Tally(skipped=1) if not_run else _OF_ONE[word] for word, not_run in ended), Tally())
    return Tally(count["pass"], count["fail"] + count["cancelled"], count["skipped"] + count["todo"])


_OF_ONE = {"ok": Tally(passed=1), "not ok": Tally(failed=1)}


@dataclass(frozen=True)
class Suite:
    """A command to run: a check that passes or fails as a whole, or a test run with counts in its report."""

    title: str
    command: list[str]
    env: dict[str, str]
    report: Path | None = None

    def tally(self, code: int) -> Tally:
        """Return the counted results. A command that fails counts as a failure even if none of its tests failed."""
        if self.report is None:
            return Tally(passed=1) if code == 0 else Tally(failed=1)
        try:
            text = self.report.read_text()
            counted = read_tap(text) if self.report.suffix == ".tap" else read_junit(text)
        except (OSError, KeyError, ElementTree.ParseError):
            counted = Tally(failed=1)  # the command ended before it wrote its report
        if code == NO_TESTS and counted == Tally():
            return Tally(skipped=1)
        return counted if code == 0 or counted.failed else counted + Tally(failed=1)


NO_TESTS = 5  # pytest's exit code
TO_REPORT = 120  # seconds for an interrupted test runner to write its report


class Report:
    """Results of each suite, printed as they arrive and again at the end.

    The output of each suite goes to a file in *logs*, and is printed when the suite has ended. A suite that runs for
    *limit* seconds is interrupted and counts as failed, with what passed so far. 0: no limit.
    """

    def __init__(self, logs: Path, *, lacks_fail: bool, limit: float = 0) -> None:
        self.total = Tally()
        self.lines: list[str] = []
        self.logs = logs
        self.lacks_fail = lacks_fail
        self.limit = limit or math.inf

    def add(self, title: str, tally: Tally, remark: str) -> None:
        self.total += tally
        word = "FAILED" if tally.failed else "ok" if tally.passed else "skipped"
        self.lines.append(f"{word:9}{title:32}{remark}")

    def lack(self, title: str, reason: str) -> None:
        """Record a suite that this machine cannot run."""
        print_line(f"\n--- {title}: {reason}")
        self.add(title, Tally(failed=1) if self.lacks_fail else Tally(skipped=1), f"       -   {reason}")

    def run(self, *lanes: Iterable[Suite]) -> None:
        """Run all *lanes* in parallel, and the suites of each lane one after another.

        Lanes that share one iterator divide its suites: each takes the next one when it is free.
        """
        running = {self._run_lane(lane): "" for lane in lanes}
        try:
            while running:
                for lane in list(running):
                    try:
                        running[lane] = next(lane)
                    except StopIteration:
                        del running[lane]
                show_progress(" | ".join(running.values()))
                pause(0.1)
        finally:
            show_progress("")
            for lane in running:
                lane.close()

    def _run_lane(self, suites: Iterable[Suite]) -> Generator[str, None, None]:
        """Run *suites* one after another, and yield the state of the current one until it has ended."""
        for suite in suites:
            started = time.monotonic()
            log = self.logs / f"{suite.title.replace(' ', '-')}.log"
            child = Child(suite.title, suite.command, suite.env, log, stop_signal=signal.SIGINT)
            child.start()
            try:
                while (code := child.exit_code()) is None and (spent := time.monotonic() - started) <= self.limit:
                    yield f"{suite.title} {spent:.0f} s {last_lines(log, 1).strip()}"
            finally:
                stop_children([child], TO_REPORT)
            show_progress("")
            print_line(f"\n--- {suite.title}\n{log.read_text(errors='replace').rstrip()}")
            self._report(suite, TIMED_OUT if code is None else code, time.monotonic() - started)

    def _report(self, suite: Suite, code: int, spent: float) -> None:
        tally = suite.tally(code)
        seconds = f"{spent:6.1f} s"
        late = f"  not finished after {self.limit:.0f} s" if code == TIMED_OUT else ""
        print_line(f"--- {suite.title}: {tally} in{seconds}{late}")
        self.add(suite.title, tally, seconds + (f"   {tally}" if suite.report else "") + late)

    def close(self) -> int:
        print_line("\n" + "\n".join(self.lines) + "\n")
        print_line(str(self.total))
        return 1 if self.total.failed else 0
