"""Results of test suites are counted."""

import os
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from tooling import reports
from tooling.reports import Tally


def suite(title: str, script: str, *arguments: object, report: Path | None = None) -> reports.Suite:
    """Return a suite that runs a shell *script* with *arguments*."""
    return reports.Suite(title, ["sh", "-c", script, "sh", *map(str, arguments)], dict(os.environ), report)


@pytest.mark.parametrize(
    ("text", "code", "counted"),
    [
        ('<testsuite tests="2"/>', 0, Tally(passed=2)),
        ('<testsuite tests="3" failures="1" errors="1"/>', 1, Tally(passed=1, failed=2)),
        ('<testsuite tests="2"/>', 3, Tally(passed=2, failed=1)),  # it failed outside any test
        ('<testsuite tests="0"/>', reports.NO_TESTS, Tally(skipped=1)),
        ('<testsuite tests="2"', 0, Tally(failed=1)),
        (None, 0, Tally(failed=1)),
        (None, -9, Tally(failed=1)),
    ],
)
def test_a_broken_suite_counts_as_failed_and_a_check_as_one_test(tmp_path, text, code, counted):
    assert suite("check", "").tally(code) == (Tally(failed=1) if code else Tally(passed=1))
    report = tmp_path / "report.xml"
    if text is not None:
        report.write_text(text)
    assert suite("tests", "", report=report).tally(code) == counted


@pytest.mark.parametrize(
    ("lacks_fail", "line"), [(False, "1 passed, 0 failed, 1 skipped"), (True, "1 passed, 1 failed, 0 skipped")]
)
def test_a_suite_that_the_machine_cannot_run_is_skipped_or_failed(capsys, tmp_path, lacks_fail, line):
    report = reports.Report(tmp_path, lacks_fail=lacks_fail)
    report.add("tests", Tally(passed=1), "")
    report.lack("browser", "no Chromium")
    assert report.close() == int(lacks_fail)
    assert capsys.readouterr().out.splitlines()[-1] == line


@pytest.fixture
def _heeds_interrupts():
    """A shell started with ignored interrupts, as in the background, could not handle them."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


# Like pytest and Node.js, it writes the results so far when it is interrupted.
SLOW = "trap 'echo \"$3\" > $2; exit 130' INT; sleep 600 & touch $1; wait"


@pytest.mark.usefixtures("_heeds_interrupts")
def test_tests_that_passed_before_the_time_limit_are_counted(tmp_path, monkeypatch):
    waits, file, text = tmp_path / "waits", tmp_path / "report.tap", "ok 1 - a\nnot ok 2 - b"
    monkeypatch.setattr(reports, "time", SimpleNamespace(monotonic=lambda: 1_000_000 * waits.exists()))
    report = reports.Report(tmp_path, lacks_fail=False, limit=1_000)
    report.run([suite("slow", SLOW, waits, file, text, report=file)])
    assert report.total == Tally(passed=1, failed=1)
    assert "not finished after 1000 s" in report.lines[0]
