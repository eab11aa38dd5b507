"""What came of each suite is counted."""

import math
import os
import re
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tooling import processes, reports, suites
from tooling.terminal import Interrupted


def test_reports_add_up():
    junit = '<testsuites><testsuite tests="3" errors="1" failures="0" skipped="0"/><testsuite tests="2"/></testsuites>'
    tap = "# tests 3\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 0\n"
    assert str(reports.read_junit(junit) + reports.read_tap(tap)) == "6 passed, 1 failed, 1 skipped"


def suite_with(report: Path, text: str | None) -> reports.Suite:
    if text is not None:
        report.write_text(text)
    return reports.Suite("tests", [], {}, report)


@pytest.mark.parametrize(
    ("text", "code", "counted"),
    [
        ('<testsuite tests="2"/>', 0, reports.Tally(passed=2)),
        ('<testsuite tests="2" failures="1"/>', 1, reports.Tally(passed=1, failed=1)),
        ('<testsuite tests="2"/>', 3, reports.Tally(passed=2, failed=1)),  # it broke outside any test
        ('<testsuite tests="0"/>', reports.NO_TESTS, reports.Tally(skipped=1)),
        ('<testsuite tests="2"', 0, reports.Tally(failed=1)),
        (None, 0, reports.Tally(failed=1)),
        (None, -9, reports.Tally(failed=1)),
    ],
)
def test_a_suite_that_breaks_counts_as_failed(tmp_path, text, code, counted):
    assert suite_with(tmp_path / "report.xml", text).tally(code) == counted


def test_a_check_counts_as_one():
    check = reports.Suite("check", [], {})
    assert (check.tally(0), check.tally(1)) == (reports.Tally(passed=1), reports.Tally(failed=1))


@pytest.mark.parametrize(
    ("lacks_fail", "line"), [(False, "0 passed, 0 failed, 1 skipped"), (True, "0 passed, 1 failed, 0 skipped")]
)
def test_what_a_machine_lacks_is_skipped_or_failed(capsys, lacks_fail, line):
    report = reports.Report(lacks_fail=lacks_fail)
    report.lack("browser", "no Chromium")
    assert report.close() == int(lacks_fail)
    assert capsys.readouterr().out.splitlines()[-1] == line


UNTIL = """
import os, pathlib, sys, time
word, mine, others = sys.argv[1:]
pathlib.Path(mine).write_text(str(os.getpid()))
while not pathlib.Path(others).exists():
    time.sleep(0.05)
print("said by", word)
"""


def test_a_check_beside_others_is_told_after_them(tmp_path, capfd):
    """Each of these two ends when the other has begun."""
    report, first, second = reports.Report(lacks_fail=False, limit=60), str(tmp_path / "1"), str(tmp_path / "2")
    command = [sys.executable, "-c", UNTIL]
    with report.beside(reports.Suite("long", [*command, "long", first, second], {}), tmp_path / "log"):
        report.run(reports.Suite("other", [*command, "other", second, first], {}))
    said = re.findall("(?:---|said by) (?:long|other)", capfd.readouterr().out)
    assert said == ["--- other", "said by other", "--- other", "--- long", "said by long", "--- long"]
    assert [line.split()[:2] for line in report.lines] == [["ok", "other"], ["ok", "long"]]


def test_a_check_beside_others_ends_with_them(tmp_path):
    report, begun = reports.Report(lacks_fail=False), tmp_path / "begun"
    forever = reports.Suite("long", [sys.executable, "-c", UNTIL, "long", str(begun), str(tmp_path / "never")], {})

    def interrupt():
        with report.beside(forever, tmp_path / "log"):
            until = time.monotonic() + 60
            while not (begun.exists() and begun.read_text()):
                assert time.monotonic() < until
                time.sleep(0.05)
            raise Interrupted

    with pytest.raises(Interrupted):
        interrupt()
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)
    assert report.lines == []


SLOW_PYTEST = """
import os, pathlib, time

def test_passes(): pass
def test_fails(): assert False
def test_takes_for_ever():
    pathlib.Path(os.environ["WAITS"]).touch()
    time.sleep(600)
"""
SLOW_NODE = """
import { test } from "node:test";
import { readFileSync, writeFileSync } from "node:fs";
test("passes", () => {});
test("fails", () => { throw new Error("no"); });
test("takes for ever", async () => {
  // Another process writes the report, in its own time.
  const isTold = () => readFileSync(process.env.REPORT, "utf8").includes("not ok");
  while (!isTold()) await new Promise((done) => setTimeout(done, 50));
  writeFileSync(process.env.WAITS, "");
  await new Promise((done) => setTimeout(done, 600_000));
});
"""


@pytest.fixture
def run_until_it_waits(tmp_path, monkeypatch):
    """Run a suite whose time is up when its last test has begun, however slow the machine is; return the report."""
    waits = tmp_path / "waits"
    clock = SimpleNamespace(monotonic=lambda: 1_000_000 * waits.exists(), sleep=time.sleep)
    monkeypatch.setattr(processes, "time", clock)

    def run(command: list[str], file: Path) -> reports.Report:
        report = reports.Report(lacks_fail=False, limit=1_000)
        report.run(reports.Suite("slow", command, {**os.environ, "WAITS": str(waits), "REPORT": str(file)}, file))
        return report

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # in a shell's background it may be ignored
    yield run
    signal.signal(signal.SIGINT, handler)


@pytest.mark.parametrize("workers", ["0", "1"])
def test_pytest_says_what_passed_and_failed_until_its_time_was_up(tmp_path, run_until_it_waits, workers):
    suite, file = tmp_path / "test_slow.py", tmp_path / "report.xml"
    suite.write_text(SLOW_PYTEST)
    words = ["-q", "-n", workers, "-p", "no:django", "-p", "no:cacheprovider", "-c", os.devnull, f"--junitxml={file}"]
    report = run_until_it_waits([sys.executable, "-m", "pytest", *words, str(suite)], file)
    assert (report.total.passed, report.total.failed) == (1, 1)
    assert "not finished after 1000 s" in report.lines[0]


@pytest.mark.skipif(not suites.has_node(), reason="no Node.js 18 or newer")
def test_node_says_what_passed_and_failed_until_its_time_was_up(tmp_path, run_until_it_waits):
    suite, file = tmp_path / "slow.test.mjs", tmp_path / "report.tap"
    suite.write_text(SLOW_NODE)
    words = ["--test-reporter=dot", "--test-reporter-destination=stdout"]
    words += ["--test-reporter=tap", f"--test-reporter-destination={file}"]
    report = run_until_it_waits(["node", "--test", *words, str(suite)], file)
    assert (report.total.passed, report.total.failed) == (1, 1)


def test_a_limit_of_0_is_none():
    assert reports.Report(lacks_fail=False, limit=0).limit == math.inf
