"""Processes end when they are told to, with all that they started."""

import os
import signal
import time
from pathlib import Path

from tooling import processes


def test_a_process_that_ignores_us_is_killed_with_what_it_started(tmp_path):
    stubborn = "trap '' TERM; sleep 60 & echo $! > started; wait; sleep 60"
    child = processes.Child("stubborn", ["sh", "-c", stubborn], dict(os.environ), folder=tmp_path)
    child.start()
    while not (tmp_path / "started").exists() or not (tmp_path / "started").read_text():
        time.sleep(0.01)
    processes.stop([child], patience=0.2)
    assert child.exit_code() == -signal.SIGKILL
    state = Path(f"/proc/{(tmp_path / 'started').read_text().strip()}/stat")
    until = time.monotonic() + 5
    while state.exists() and state.read_text().split()[2] != "Z" and time.monotonic() < until:
        time.sleep(0.01)
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_a_command_that_takes_too_long_is_ended():
    child = processes.Child("sleeper", ["sleep", "60"], dict(os.environ))
    assert processes.follow(child, limit=0.2) == processes.TIMED_OUT
    assert child.exit_code() == -signal.SIGTERM
