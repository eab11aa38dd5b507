"""dev.py: every error that stops it is reported in one line."""

import ast
import socket

import pytest

import dev
from tooling import processes, site
from tooling.folders import ROOT
from tooling.terminal import Problem


@pytest.fixture
def error_of(monkeypatch, capsys, tmp_path):
    """Run a command of dev.py and return its one-line error; signals are not handled and nothing is installed."""

    def prepared(_lock):
        raise Problem("all was well")

    monkeypatch.setattr(dev, "listen_for_signals", lambda: None)
    monkeypatch.setattr(site, "prepare", prepared)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for name, value in {"HOST": "127.0.0.1", "DATA_DIR": str(tmp_path / "data")}.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> str:
        assert dev.run_and_report([*arguments]) == 1
        out, line = capsys.readouterr()
        assert (out, line.count("\n")) == ("", 1)
        return line

    return run


def test_a_busy_port_is_reported_in_one_line(error_of, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        monkeypatch.setenv("PORT", port)
        assert f"Port {port} on 127.0.0.1 is in use" in error_of("run")


def test_an_unusable_or_locked_data_folder_is_reported_in_one_line(error_of, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "file" / "data"))
    assert f"Cannot write to {tmp_path}/file/data: Not a directory." in error_of("run")
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    with processes.lock_folder(tmp_path, "taken"):
        assert "Another `dev.py run` already uses" in error_of("run")
    with processes.lock_folder(tmp_path, "taken"):
        pass


def test_a_command_for_a_site_that_is_not_there_begins_none(error_of, tmp_path):
    """As without the DATA_DIR that `run` had."""
    assert f"There is no site in {tmp_path}/data. Start it with" in error_of("manage", "token", "My bot", "--bot")
    assert not (tmp_path / "data").exists()
    assert "all was well" in error_of("manage", "restore", "backup.zip")


def test_dev_py_can_be_parsed_by_an_older_python():
    ast.parse((ROOT / "dev.py").read_text("utf-8"), feature_version=(3, 8))
