"""What came of each suite is counted."""

from pathlib import Path

import pytest

from tooling import reports


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
