import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest

from tooling import environment, processes, site, terminal


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch):
    for name in environment.CONTRACT:
        monkeypatch.delenv(name, raising=False)


def site_env(data: Path, host: str = "127.0.0.1", port: int = 8000) -> dict[str, str]:
    return site.site_environment(data, site.Address(host, port), "unix:///x")


def test_the_key_is_created_once_and_readable_by_its_owner_only(tmp_path):
    first, second = site_env(tmp_path)["SECRET_KEY"], site_env(tmp_path)["SECRET_KEY"]
    assert first == second
    assert len(first) >= 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_environment_settings_are_kept_except_debug(tmp_path, monkeypatch):
    for name, value in {"DATABASE_URL": "postgres://db/leitai", "SITE_URL": "", "DEBUG": "1"}.items():
        monkeypatch.setenv(name, value)
    env = site_env(tmp_path, host="0.0.0.0", port=80)
    assert (env["DATABASE_URL"], env["SITE_URL"]) == ("postgres://db/leitai", "http://localhost:80")
    assert "DEBUG" not in env


def test_a_folder_name_with_special_characters_is_escaped_in_the_url(tmp_path):
    (tmp_path / "a b%?#").mkdir()
    assert site_env(tmp_path / "a b%?#")["DATABASE_URL"] == f"sqlite:///{tmp_path}/a%20b%25%3F%23/db.sqlite3"


@pytest.mark.parametrize("port", ["x", "0", "65536", "-1", "8000.5", "８０００"])
def test_a_port_is_a_number(port):
    with pytest.raises(terminal.Problem, match="from 1 to 65535"):
        site.listening_address({"PORT": port})


class Program(processes.Child):
    """A child that exits with each of *codes* in turn, and then lives until it is stopped."""

    def __init__(self, log: Path, *codes: int) -> None:
        super().__init__("judge", [], {}, log)
        self.codes, self.starts = [*codes], 1

    def exit_code(self) -> int:
        if self.codes:
            return self.codes[0]
        raise terminal.Interrupted

    def end(self, patience: float) -> None:
        """Do nothing: no process is left."""

    def start(self) -> None:
        self.codes.pop(0)
        self.starts += 1


def test_a_stopped_process_is_restarted_until_it_keeps_stopping(tmp_path, monkeypatch, capsys):
    seconds = itertools.count(100)
    monkeypatch.setattr(site, "pause", lambda _seconds: None)
    monkeypatch.setattr(site, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    steady, broken = Program(tmp_path / "log", -9), Program(tmp_path / "log", *[3] * 5)
    with pytest.raises(terminal.Interrupted):
        site.restart_children([steady])
    assert "judge stopped (SIGKILL); starting it again in 0.5 s" in capsys.readouterr().out
    (tmp_path / "log").write_text("no such table")
    with pytest.raises(terminal.Problem, match=r"(?s)judge keeps stopping.*no such table"):
        site.restart_children([broken])
    assert (steady.starts, broken.starts) == (2, 5)


def test_a_large_log_is_rotated_while_its_process_writes_on(tmp_path):
    log = tmp_path / "web.log"
    with log.open("ab", buffering=0) as file:
        file.write(b"x" * 11)
        site.rotate_log(log, most=10)
        file.write(b"next")
        site.rotate_log(log, most=10)
    assert (log.read_bytes(), (tmp_path / "web.log.1").read_bytes()) == (b"next", b"x" * 11)


@pytest.mark.parametrize(
    ("host", "is_own"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False)]
)
def test_a_site_on_loopback_allows_only_loopback_names(host, is_own):
    names = site.own_names(site.Address(host, 8000))
    assert ({*names} <= {"localhost", "127.0.0.1", "[::1]"}) == is_own
