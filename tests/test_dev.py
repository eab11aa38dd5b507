"""dev.py: every error that stops it is reported in one line."""

import ast
import errno
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


def test_an_address_of_another_machine_is_reported_in_one_line(error_of, monkeypatch):
    monkeypatch.setenv("HOST", "192.0.2.1")
    assert "Cannot listen on 192.0.2.1:8000" in error_of("run")


def test_an_unusable_or_locked_data_folder_is_reported_in_one_line(error_of, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "file" / "data"))
    assert f"Cannot write to {tmp_path}/file/data: Not a directory." in error_of("run")
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    with processes.lock_folder(tmp_path, "taken"):
        assert "Another `dev.py run` already uses" in error_of("run")
    with processes.lock_folder(tmp_path, "taken"):
        pass


def test_a_full_disk_is_reported_in_one_line(error_of, monkeypatch):
    def fill(_lock):
        raise OSError(errno.ENOSPC, "No space left on device", "/full")

    monkeypatch.setattr(site, "check_port", lambda _address: None)
    monkeypatch.setattr(site, "prepare", fill)
    assert error_of("run") == "dev.py: No space left on device: /full\n"


def test_dev_py_can_be_parsed_by_an_older_python():
    ast.parse((ROOT / "dev.py").read_text("utf-8"), feature_version=(3, 8))


def test_an_unknown_command_prints_the_usage(capsys):
    assert dev.main(["walk"]) == 2
    assert "python3 dev.py run" in capsys.readouterr().out


@pytest.mark.parametrize("act", ["run", "test", "shots", "pictures", "extension", "release", "sbom", "pin"])
def test_help_is_printed_for_every_command_and_does_nothing_else(act, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    assert dev.main([act, "--help"]) == 0
    assert f"dev.py {act}" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
