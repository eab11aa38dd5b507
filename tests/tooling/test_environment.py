import os
import select
import signal

import pytest

from tooling import folders, processes, suites
from tooling.environment import DEV, SATISFIED_BY, SOLVE, UV, is_installed, stamp_of


def test_the_test_lock_contains_the_runtime_lock_but_not_the_reverse():
    assert is_installed(SOLVE, stamp_of(DEV, "3.11"), "3.11")
    assert not is_installed(DEV, stamp_of(SOLVE, "3.11"), "3.11")


@pytest.mark.parametrize("stamped", ["", "base.txt", "nonsense", stamp_of(SOLVE, "3.12")])
def test_an_unfinished_environment_or_one_of_another_python_is_reinstalled(stamped):
    assert not is_installed(SOLVE, stamped, "3.11")


def test_a_changed_lock_is_installed_again(tmp_path, monkeypatch):
    lock = tmp_path / "base.txt"
    monkeypatch.setitem(SATISFIED_BY, lock, (lock,))
    lock.write_text("django==5.2.19")
    before = stamp_of(lock, "3.11")
    assert is_installed(lock, before, "3.11")
    lock.write_text("django==5.2.20")
    assert not is_installed(lock, before, "3.11")


@pytest.mark.parametrize("lock", [SOLVE, DEV, UV], ids=lambda lock: lock.name)
def test_a_lock_has_hashes_and_no_addresses(lock):
    text = lock.read_text()
    assert text.count("--hash=sha256:") >= text.count("==") > 0
    assert "://" not in text


@pytest.mark.parametrize("name", ["x" * 100, "with blank", "擂台"])
def test_a_socket_is_moved_to_a_short_plain_path(tmp_path, name):
    folder = folders.socket_folder(tmp_path / name)
    try:
        assert len(str(folder / "redis.sock")) < 100
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        folder.rmdir()


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


@pytest.mark.parametrize("arguments", [["--limit"], ["--limit", "-1"], ["--limit", "--exhaustive"], ["--slow"]])
def test_unknown_arguments_are_refused(arguments):
    assert suites.read_options(arguments) is None


def test_the_developers_environment_variables_are_hidden_from_tests(tmp_path, monkeypatch):
    """And bytecode is cached for the other processes of the run."""
    for name, value in {"DATABASE_URL": "postgres://precious", "DEBUG": "1", "PYTHONDONTWRITEBYTECODE": "1"}.items():
        monkeypatch.setenv(name, value)
    env = suites.test_environment(tmp_path)
    assert env["DATABASE_URL"].startswith("sqlite:///")
    assert not {"DEBUG", "PYTHONDONTWRITEBYTECODE"} & set(env)
