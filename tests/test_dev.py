"""dev.py: what it decides, and that whatever stops it is said in one line."""

import doctest
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dev

ROOT = Path(dev.__file__).parent


def started(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "dev.py"), *words]
    return subprocess.run(command, env=os.environ | env, capture_output=True, text=True, timeout=30, check=False)


def pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(), re.MULTILINE))


def waiting_child(**more) -> dev.Child:
    return dev.Child("sleeper", [sys.executable, "-c", "import time; time.sleep(60)"], dict(os.environ), **more)


def test_its_examples_are_true():
    failed, tried = doctest.testmod(dev)
    assert tried > 0
    assert failed == 0


# The environment


def test_what_the_tests_install_is_enough_to_run():
    assert dev.is_installed(dev.BASE, dev.stamp(dev.DEV, "3.11"), "3.11")


def test_what_runs_is_not_enough_for_the_tests():
    assert not dev.is_installed(dev.DEV, dev.stamp(dev.BASE, "3.11"), "3.11")


@pytest.mark.parametrize("stamped", ["", "base.txt", "nonsense"])
def test_an_unfinished_environment_is_installed_again(stamped):
    assert not dev.is_installed(dev.BASE, stamped, "3.11")


def test_another_python_is_another_environment():
    assert not dev.is_installed(dev.BASE, dev.stamp(dev.BASE, "3.11"), "3.12")


def test_a_changed_lock_is_installed_again(tmp_path, monkeypatch):
    lock = tmp_path / "base.txt"
    monkeypatch.setattr(dev, "SATISFIED_BY", {lock: (lock,)})
    lock.write_text("django==5.2.19")
    before = dev.stamp(lock, "3.11")
    lock.write_text("django==5.2.20")
    assert not dev.is_installed(lock, before, "3.11")


def test_the_lock_of_the_tests_holds_the_lock_of_the_site():
    assert pins(dev.BASE).items() <= pins(dev.DEV).items()


@pytest.mark.parametrize("lock", [dev.BASE, dev.DEV, dev.UV], ids=lambda lock: lock.name)
def test_a_lock_has_hashes_and_no_addresses(lock):
    text = lock.read_text()
    assert text.count("--hash=sha256:") >= len(pins(lock)) > 0
    assert "://" not in text


def test_what_an_installer_says_is_cut_to_its_cause():
    assert dev.cause("Resolving\nerror: Failed to build: x\n  hint: y\n") == "error: Failed to build: x"
    assert dev.cause("a\nx: No space left on device (os error 28)\nb") == "the disk is full"
    assert "network" in dev.cause("WARNING: ... NewConnectionError ...\nERROR: No matching distribution found for amqp")
    assert dev.cause("Traceback:\n  x\ndjango.db.utils.OperationalError: readonly database") == (
        "django.db.utils.OperationalError: readonly database"
    )
    assert dev.cause("") == "it said nothing"


# Counting


def test_reports_add_up():
    junit = '<testsuites><testsuite tests="3" errors="1" failures="0" skipped="0"/><testsuite tests="2"/></testsuites>'
    tap = "# tests 3\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 0\n"
    assert str(dev.read_junit(junit) + dev.read_tap(tap)) == "6 passed, 1 failed, 1 skipped"


def suite_with(report: Path, text: str | None) -> dev.Suite:
    if text is not None:
        report.write_text(text)
    return dev.Suite("tests", [], {}, report)


@pytest.mark.parametrize(
    ("text", "code", "counted"),
    [
        ('<testsuite tests="2"/>', 0, dev.Tally(passed=2)),
        ('<testsuite tests="2" failures="1"/>', 1, dev.Tally(passed=1, failed=1)),
        ('<testsuite tests="2"/>', 3, dev.Tally(passed=2, failed=1)),  # it broke outside any test
        ('<testsuite tests="0"/>', dev.NO_TESTS, dev.Tally(skipped=1)),
        ('<testsuite tests="2"', 0, dev.Tally(failed=1)),
        (None, 0, dev.Tally(failed=1)),
        (None, -9, dev.Tally(failed=1)),
    ],
)
def test_a_suite_that_breaks_counts_as_failed(tmp_path, text, code, counted):
    assert suite_with(tmp_path / "report.xml", text).tally(code) == counted


def test_a_check_counts_as_one():
    check = dev.Suite("check", [], {})
    assert (check.tally(0), check.tally(1)) == (dev.Tally(passed=1), dev.Tally(failed=1))


@pytest.mark.parametrize(
    ("lacks_fail", "line"), [(False, "0 passed, 0 failed, 1 skipped"), (True, "0 passed, 1 failed, 0 skipped")]
)
def test_what_a_machine_lacks_is_skipped_or_failed(capsys, lacks_fail, line):
    report = dev.Report(lacks_fail=lacks_fail)
    report.lack("browser", "no Chromium")
    assert report.close() == int(lacks_fail)
    assert capsys.readouterr().out.splitlines()[-1] == line


def test_tests_cannot_reach_what_a_developers_variables_name(tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://precious")
    monkeypatch.setenv("DEBUG", "1")
    env = dev.test_environment(tmp_path)
    assert env["DATABASE_URL"].startswith("sqlite:///")
    assert "DEBUG" not in env


# The site


def site_env(data: Path, host: str = "127.0.0.1", port: int = 8000) -> dict[str, str]:
    return dev.site_environment(data, dev.Address(host, port), "unix:///x")


@pytest.fixture
def no_settings(monkeypatch):
    for name in dev.CONTRACT:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_settings")
def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path):
    first, second = site_env(tmp_path)["SECRET_KEY"], site_env(tmp_path)["SECRET_KEY"]
    assert first == second
    assert len(first) >= 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("no_settings")
def test_what_is_set_stays_and_debug_does_not(tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://db/leitai")
    monkeypatch.setenv("SITE_URL", "")
    monkeypatch.setenv("DEBUG", "1")
    env = site_env(tmp_path, host="0.0.0.0", port=80)
    assert env["DATABASE_URL"] == "postgres://db/leitai"
    assert env["SITE_URL"] == "http://127.0.0.1:80"
    assert "DEBUG" not in env


@pytest.mark.usefixtures("no_settings")
def test_a_folder_with_odd_letters_still_makes_an_address(tmp_path):
    folder = tmp_path / "a b%?#"
    folder.mkdir()
    assert site_env(folder)["DATABASE_URL"] == f"sqlite:///{tmp_path}/a%20b%25%3F%23/db.sqlite3"


@pytest.mark.parametrize("name", ["x" * 100, "with blank", "擂台"])
def test_a_socket_moves_where_its_path_is_short_and_plain(tmp_path, name):
    folder = dev.socket_folder(tmp_path / name)
    try:
        assert len(str(folder / "redis.sock")) < 100
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        folder.rmdir()


@pytest.mark.parametrize("port", ["x", "0", "65536", "-1", "8000.5", "８０００"])
def test_a_port_is_a_number(port):
    with pytest.raises(dev.Problem, match="from 1 to 65535"):
        dev.listening_address({"PORT": port})


def test_every_address_is_opened_as_this_machine():
    assert str(dev.Address("0.0.0.0", 8000)) == "127.0.0.1:8000"
    assert str(dev.Address("::", 8000)) == "[::1]:8000"


def test_a_process_that_ignores_us_is_killed_with_what_it_started(tmp_path):
    stubborn = "trap '' TERM; sleep 60 & echo $! > started; wait; sleep 60"
    child = dev.Child("stubborn", ["sh", "-c", stubborn], dict(os.environ), folder=tmp_path)
    child.start()
    while not (tmp_path / "started").exists() or not (tmp_path / "started").read_text():
        time.sleep(0.01)
    dev.stop([child], patience=0.2)
    assert child.exit_code() == -signal.SIGKILL
    state = Path(f"/proc/{(tmp_path / 'started').read_text().strip()}/stat")
    until = time.monotonic() + 5
    while state.exists() and state.read_text().split()[2] != "Z" and time.monotonic() < until:
        time.sleep(0.01)
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_a_command_that_takes_too_long_is_ended():
    child = waiting_child()
    assert dev.follow(child, limit=0.2) == dev.TIMED_OUT
    assert child.exit_code() == -signal.SIGTERM


def test_what_stops_is_started_again(tmp_path, monkeypatch, capsys):
    child = waiting_child(log=tmp_path / "log")
    child.start()
    assert child.process
    first = child.process.pid
    os.kill(first, signal.SIGKILL)

    def until_it_lives(_seconds: float) -> None:
        time.sleep(0.05)
        if child.process and child.process.pid != first:
            raise dev.Interrupted

    monkeypatch.setattr(dev, "pause", until_it_lives)
    try:
        with pytest.raises(dev.Interrupted):
            dev.watch([child])
        assert child.exit_code() is None
    finally:
        dev.stop([child])
    assert "sleeper stopped (SIGKILL); starting it again in 0.5 s" in capsys.readouterr().out


def test_what_keeps_stopping_ends_with_its_last_words(tmp_path, monkeypatch):
    child = dev.Child("broken", ["sh", "-c", "echo no such table; exit 3"], dict(os.environ), tmp_path / "log")
    child.start()
    monkeypatch.setattr(dev, "backoff", lambda deaths, _now: 0.0 if len(deaths) < 3 else None)
    monkeypatch.setattr(dev, "pause", lambda _seconds: time.sleep(0.02))
    with pytest.raises(dev.Problem, match=r"(?s)broken keeps stopping.*no such table"):
        dev.watch([child])


# One line each


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_busy_port_is_said_in_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        line = one_line(started("run", PORT=str(port), HOST="127.0.0.1", DATA_DIR=str(tmp_path)))
    assert f"Port {port} on 127.0.0.1 is in use" in line


def test_an_address_of_another_machine_is_said_in_one_line(tmp_path):
    assert "Cannot listen on 192.0.2.1:8000" in one_line(
        started("run", HOST="192.0.2.1", PORT="8000", DATA_DIR=str(tmp_path))
    )


def test_a_data_folder_that_cannot_be_is_said_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    assert "Cannot write to" in one_line(started("run", DATA_DIR=str(tmp_path / "file" / "data")))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become another user")
def test_a_read_only_data_folder_is_said_in_one_line(tmp_path):
    tmp_path.chmod(0o555)
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", "/usr/bin/python3", "-"]
    code = (ROOT / "dev.py").read_text().replace("Path(__file__)", "Path('/dev.py')").replace("sys.argv[1:]", "['run']")
    env = {"PATH": os.defpath, "HOME": "/", "DATA_DIR": str(tmp_path / "data"), "PORT": "8000"}
    done = subprocess.run(
        command, input=code, cwd="/", env=env, capture_output=True, text=True, timeout=30, check=False
    )
    assert re.fullmatch(r"dev.py: Cannot write to .*/data: Permission denied\.\n", one_line(done))


def test_two_runs_do_not_share_a_data_folder(tmp_path):
    with dev.claimed(tmp_path, "taken"):
        assert "Another `dev.py run` already uses" in one_line(started("run", DATA_DIR=str(tmp_path)))
    with dev.claimed(tmp_path, "taken"):
        pass


def test_it_can_be_read_by_a_python_too_old_to_run_it():
    compile_it = "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read(), feature_version=(3, 8))"
    subprocess.run([sys.executable, "-c", compile_it, str(ROOT / "dev.py")], check=True)


def test_an_unknown_word_gets_the_usage():
    done = started("walk")
    assert done.returncode == 2
    assert "python3 dev.py run" in done.stdout
