import os
import select
import signal

from tooling import processes


def test_a_process_that_ignores_signals_is_killed_with_its_children(tmp_path):
    os.mkfifo(tmp_path / "started")
    stubborn = "trap '' TERM; sleep 600 & echo $! > started; wait; sleep 600"
    child = processes.Child("stubborn", ["sh", "-c", stubborn], dict(os.environ), folder=tmp_path)
    child.start()
    grandchild = os.pidfd_open(int((tmp_path / "started").read_text()))
    processes.stop_children([child], patience=0)
    assert child.exit_code() == -signal.SIGKILL
    assert select.select([grandchild], [], [], 60)[0]
    os.close(grandchild)


def test_a_command_that_exceeds_its_limit_is_stopped():
    child = processes.Child("sleeper", ["sleep", "600"], dict(os.environ))
    assert processes.wait_for_exit(child, limit=0) == processes.TIMED_OUT
    assert child.exit_code() == -signal.SIGTERM
