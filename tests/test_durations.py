"""What took long when it last ran is left out, where that is asked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFTEST = """
from tests import durations

def pytest_addoption(pluginmanager):
    pluginmanager.register(durations)
"""
TESTS = """
import time
import pytest

@pytest.fixture(scope="session")
def tables():
    time.sleep({tables})

def test_first(tables):
    pass

def test_second(tables):
    time.sleep({second})
"""


@pytest.fixture
def run(tmp_path):
    """The tests that run with these options, in a checkout where they take so many seconds."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    words = [sys.executable, "-m", "pytest", "-q", "-rp", "-p", "no:django", f"--rootdir={tmp_path}", str(tmp_path)]

    def run(*options, tables=0.0, second=0.0):
        (tmp_path / "test_levels.py").write_text(TESTS.format(tables=tables, second=second))
        env = os.environ | {"PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "tests.settings"}
        done = subprocess.run([*words, *options], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("PASSED ")]
        assert lines, done.stdout + done.stderr
        return [line.rpartition("::")[2] for line in lines]

    return run


BOTH, FIRST = ["test_first", "test_second"], ["test_first"]


@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["one process", "two"])
def test_what_took_long_is_left_out_the_next_time(run, processes):
    assert sorted(run("--at-most", "0.1", *processes, second=0.3)) == BOTH
    assert run("--at-most", "0.1", *processes) == FIRST
    assert sorted(run("--at-most", "1", *processes)) == BOTH
    assert sorted(run("--at-most", "0.1", *processes)) == BOTH, "it is quick by now"


def test_what_others_share_is_not_the_time_of_the_first(run):
    run(tables=0.3)
    assert run("--at-most", "0.1") == BOTH


def test_what_is_not_run_is_not_forgotten(run):
    run(second=0.3)
    run("-k", "first")
    assert run("--at-most", "0.1") == FIRST


def test_where_pytest_keeps_nothing_all_run(run):
    run(second=0.3)
    assert run("-p", "no:cacheprovider", "--at-most", "0.1") == BOTH
