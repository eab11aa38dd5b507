"""The whole site on one machine."""

import os
import signal
import time
from pathlib import Path

import pytest

from tooling import environment, processes, site, terminal


def site_env(data: Path, host: str = "127.0.0.1", port: int = 8000) -> dict[str, str]:
    return site.site_environment(data, site.Address(host, port), "unix:///x")


@pytest.fixture
def no_settings(monkeypatch):
    for name in environment.CONTRACT:
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


@pytest.mark.parametrize("port", ["x", "0", "65536", "-1", "8000.5", "８０００"])
def test_a_port_is_a_number(port):
    with pytest.raises(terminal.Problem, match="from 1 to 65535"):
        site.listening_address({"PORT": port})


def test_every_address_is_opened_as_this_machine():
    assert str(site.Address("0.0.0.0", 8000)) == "127.0.0.1:8000"
    assert str(site.Address("::", 8000)) == "[::1]:8000"


def test_what_stops_is_started_again(tmp_path, monkeypatch, capsys):
    child = processes.Child("sleeper", ["sleep", "60"], dict(os.environ), tmp_path / "log")
    child.start()
    assert child.process
    first = child.process.pid
    os.kill(first, signal.SIGKILL)

    def until_it_lives(_seconds: float) -> None:
        time.sleep(0.05)
        if child.process and child.process.pid != first:
            raise terminal.Interrupted

    monkeypatch.setattr(site, "pause", until_it_lives)
    try:
        with pytest.raises(terminal.Interrupted):
            site.watch([child])
        assert child.exit_code() is None
    finally:
        processes.stop([child])
    assert "sleeper stopped (SIGKILL); starting it again in 0.5 s" in capsys.readouterr().out


def test_what_keeps_stopping_ends_with_its_last_words(tmp_path, monkeypatch):
    child = processes.Child("broken", ["sh", "-c", "echo no such table; exit 3"], dict(os.environ), tmp_path / "log")
    child.start()
    monkeypatch.setattr(site, "backoff", lambda deaths, _now: 0.0 if len(deaths) < 3 else None)
    monkeypatch.setattr(site, "pause", lambda _seconds: time.sleep(0.02))
    with pytest.raises(terminal.Problem, match=r"(?s)broken keeps stopping.*no such table"):
        site.watch([child])


def test_a_log_that_has_grown_makes_room_and_its_process_writes_on(tmp_path):
    log = tmp_path / "web.log"
    with log.open("ab", buffering=0) as file:
        file.write(b"x" * 11)
        site.turn_over(log, most=10)
        file.write(b"next")
        site.turn_over(log, most=10)
    assert (log.read_bytes(), (tmp_path / "web.log.1").read_bytes()) == (b"next", b"x" * 11)


@pytest.mark.parametrize(
    ("host", "is_own"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False)]
)
def test_a_site_on_loopback_has_no_name_but_the_loopbacks(host, is_own):
    names = site.own_names(site.Address(host, 8000))
    assert ({*names} <= {"localhost", "127.0.0.1", "[::1]"}) == is_own
