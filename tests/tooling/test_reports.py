import os
from pathlib import Path

import pytest

from tooling import reports
from tooling.reports import Tally
from tooling.terminal import Interrupted


def suite(title: str, script: str, *arguments: object, report: Path | None = None) -> reports.Suite:
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


def test_lanes_run_in_parallel_and_their_suites_one_after_another(tmp_path):
    """The first two suites wait for each other at the pipe, which the third finds removed."""
    os.mkfifo(pipe := tmp_path / "pipe")
    report = reports.Report(tmp_path, lacks_fail=False, limit=60)
    early = suite("early", "cat $1; rm $1", pipe)
    report.run([suite("long", "echo > $1", pipe)], [early, suite("late", "! test -e $1", pipe)])
    assert {tuple(line.split()[:2]) for line in report.lines} == {("ok", "long"), ("ok", "early"), ("ok", "late")}


def test_all_lanes_end_when_the_run_is_interrupted(tmp_path, monkeypatch):
    pipes = [tmp_path / "one", tmp_path / "two"]
    report = reports.Report(tmp_path, lacks_fail=False)
    begun = []

    def interrupt(_seconds):
        begun.extend(int(pipe.read_text()) for pipe in pipes)
        raise Interrupted

    for pipe in pipes:
        os.mkfifo(pipe)
    monkeypatch.setattr(reports, "pause", interrupt)
    with pytest.raises(Interrupted):
        report.run(*([suite(pipe.name, "echo $$ > $1; exec sleep 600", pipe)] for pipe in pipes))
    for process in begun:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    assert report.lines == []
