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
    return subprocess.run([*COMMAND, *arguments], capture_output=True, env=PLAIN, timeout=60, check=False, **options)


def test_it_works_from_any_folder_and_without_django_settings(tmp_path):
    done = run("series", "ladder", "4", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_command_it_says_how_it_is_used():
    done = run()
    assert done.returncode == 2
    assert done.stderr.startswith(b"usage: python -m solvers.sokoban")


@pytest.mark.parametrize("arguments", [("series", "rooms", "14"), ("--help",)])
def test_when_nobody_reads_the_output_it_ends_silently(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, env=PLAIN, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_said():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "series", "ladder", "4"], stdout=full, stderr=subprocess.PIPE, env=PLAIN, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"The output cannot be written: No space left on device.\n")


def test_a_title_that_the_terminal_has_no_letters_for_is_escaped():
    done = run("levels", "-", input="#####\n#@$.#\n#####\nTitle: 推".encode())
    assert done.returncode == 0
    ascii_only = subprocess.run(
        [*COMMAND, "levels", "-"],
        input="#####\n#@$.#\n#####\nTitle: 推".encode(),
        capture_output=True,
        env={**PLAIN, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (ascii_only.returncode, b"\\u63a8" in ascii_only.stdout) == (0, True)


def test_a_file_whose_name_is_no_text_is_refused_in_words():
    done = run("levels", b"\xff\xfe.xsb")
    assert done.returncode == 2
    assert b"cannot be read: No such file or directory." in done.stderr


def test_closed_streams_do_no_harm():
    done = subprocess.run(
        [
            "sh",
            "-c",
            '"$0" -m solvers.sokoban levels - <&-; "$0" -m solvers.sokoban series ladder 4 >&-',
            sys.executable,
        ],
        capture_output=True,
        env=PLAIN,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert b"There is no standard input." in done.stderr


def test_a_folder_is_no_file(tmp_path):
    done = run("levels", str(tmp_path))
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"Is a directory" in done.stderr
