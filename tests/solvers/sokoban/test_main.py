"""The command line as a process: exit codes, broken pipes, no traceback ever."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-m", "solvers.sokoban"]
LEFT_OUT = ("DJANGO_SETTINGS_MODULE", "PYTHONUNBUFFERED", "PYTHONIOENCODING")
PLAIN = {name: text for name, text in os.environ.items() if name not in LEFT_OUT} | {"PYTHONPATH": str(ROOT)}


def run(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], stderr=subprocess.PIPE, env=PLAIN, check=False, **options)


def test_it_works_from_any_folder_and_without_django_settings(tmp_path):
    done = run("series", "ladder", "4", cwd=tmp_path, stdout=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, b"")


def test_when_nobody_reads_the_output_it_ends_silently():
    reading, writing = os.pipe()
    os.close(reading)
    done = run("series", "rooms", "14", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_reported():
    with Path("/dev/full").open("wb") as full:
        done = run("series", "ladder", "4", stdout=full)
    assert (done.returncode, done.stderr) == (2, b"The output cannot be written: No space left on device.\n")


def test_a_title_that_the_terminal_has_no_letters_for_is_escaped(monkeypatch):
    monkeypatch.setitem(PLAIN, "PYTHONIOENCODING", "ascii")
    done = run("levels", "-", input="#####\n#@$.#\n#####\nTitle: 推".encode(), stdout=subprocess.PIPE)
    assert (done.returncode, b"\\u63a8" in done.stdout) == (0, True)


def test_closed_streams_do_no_harm():
    commands = '"$0" -m solvers.sokoban levels - <&-; "$0" -m solvers.sokoban series ladder 4 >&-'
    done = subprocess.run(["sh", "-c", commands, sys.executable], capture_output=True, env=PLAIN, check=False)
    assert b"Traceback" not in done.stderr
    assert b"There is no standard input." in done.stderr
