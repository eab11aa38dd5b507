"""Run commands as the shell would, without starting a process."""

import io
import sys

import pytest

from solvers.sokoban.__main__ import main


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """run(*arguments, stdin=...) gives (exit code, output, errors); files are looked for in a folder of the test."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            code = main(arguments)
        except SystemExit as leaving:  # argparse says what is wrong with the usage, and leaves
            code = leaving.code
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def levels(tmp_path):
    """A file of two levels; the second has a solution."""
    (tmp_path / "two.xsb").write_text(
        """Title: Corridor
Author: Somebody

#####
#@$.#
#####

Bend

######
#@$-.#
######

Solution
RR
"""
    )
    return "two.xsb"
