"""Command lines, called without a new process."""

import io
import sys

import pytest


def call(main, arguments, stdin, monkeypatch, capsys):
    data = stdin.encode() if isinstance(stdin, str) else stdin
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    try:
        code = main(arguments)
    except SystemExit as leaving:  # argparse prints the usage error and exits
        code = leaving.code
    return (code, *capsys.readouterr())


def runner(main):
    """Return a fixture: run(*arguments, stdin=...) returns (exit code, output, errors), in a new current folder."""

    @pytest.fixture
    def run(capsys, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)

        return lambda *arguments, stdin="": call(main, arguments, stdin, monkeypatch, capsys)

    return run
