"""Command lines, run without starting a process."""

import io
import sys

import pytest


def runner(main):
    """A fixture: run(*arguments, stdin=...) gives (exit code, output, errors); files are looked for in a new folder."""

    @pytest.fixture
    def run(capsys, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)

        def run(*arguments, stdin=""):
            data = stdin.encode() if isinstance(stdin, str) else stdin
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            try:
                code = main(arguments)
            except SystemExit as leaving:  # argparse says what is wrong with the usage, and leaves
                code = leaving.code
            return (code, *capsys.readouterr())

        return run

    return run
