"""Processes end when they are stopped, with all their children."""

import os
import select
import signal

from tooling import processes


def test_a_process_that_ignores_us_is_killed_with_what_it_started(tmp_path):
    os.mkfifo(tmp_path / "started")
    stubborn = "trap '' TERM; sleep 600 & echo $! > started; wait; sleep 600"
    child = processes.Child("stubborn", ["sh", "-c", stubborn], dict(os.environ), folder=tmp_path)
    child.start()
    grandchild = os.pidfd_open(int((tmp_path / "started").read_text()))
    processes.stop([child], patience=0)
    assert child.exit_code() == -signal.SIGKILL
    assert select.select([grandchild], [], [], 60)[0]
    os.close(grandchild)


def test_a_command_that_takes_too_long_is_ended():
    child = processes.Child("sleeper", ["sleep", "600"], dict(os.environ))
    assert processes.follow(child, limit=0) == processes.TIMED_OUT
    assert child.exit_code() == -signal.SIGTERM
