"""Manners of every command (docs/reference/solvers.md has the table); test_jobs.py and test_main.py use processes."""

import io
import sys
from pathlib import Path

import pytest

from solvers import commandline
from solvers.games.__main__ import main as games
from solvers.klotski.__main__ import main as klotski
from solvers.klotski.__main__ import read_arguments
from solvers.knights.__main__ import main as knights
from solvers.sokoban.__main__ import COMMANDS
from solvers.sokoban.__main__ import main as sokoban

PROGRAMS = {"sokoban": sokoban, "klotski": klotski, "knights": knights, "games": games}
READING = [  # from standard input
    *(f"sokoban {verb} -" for verb in ("levels", "check", "convert", "solve", "prove", "optimize", "coach", "tree")),
    "sokoban replay level.xsb -", "sokoban replay --jsonl", "sokoban paths - --walk B2", "sokoban rebuild -",
    "sokoban draw - -o level.svg", "sokoban find -", "sokoban speed -",
    "klotski solve -", "klotski check -", "klotski replay VCCVVCCVVHHVVooVo..o -", "klotski draw - -o layout.svg",
    "knights --jsonl", "games --jsonl",
]  # fmt: skip
PRINTING = [
    "sokoban series ladder 4", "sokoban levels level.xsb", "sokoban solve level.xsb",
    "klotski names", "klotski atlas", "klotski chart classic", "knights 8 8 0,0 7,7", "games nim 3 5 7",
]  # fmt: skip
WRITING = [
    "sokoban convert level.xsb -o", "sokoban draw level.xsb -o", "knights --picture", "klotski chart classic -o",
    "sokoban find --boxes 1 --width 3 --height 3 --boards 1 -o",
]  # fmt: skip
# They compute for a minute, and end by the same `run_command`.
SLOW = ["sokoban warm", "sokoban dataset", "klotski records", "klotski distributions"]


class Endless(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = b"r" * len(buffer)
        return len(buffer)


class Failing(Endless):
    """Standard input and output at which *error* happens."""

    encoding, errors = "utf-8", "strict"

    def __init__(self, error):
        self.error = error

    def readinto(self, buffer):
        raise self.error

    def write(self, text):
        raise self.error


@pytest.fixture
def call(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.dup2", lambda *_files: None)
    Path("level.xsb").write_text("######\n#@$-.#\n######\n")

    def call(command, raw=None):
        if raw:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(raw)))
        if isinstance(raw, Failing):
            monkeypatch.setattr(sys, "stdout", raw)
        program, *words = command.split()
        code = PROGRAMS[program](words)
        return code, capsys.readouterr().err

    return call


@pytest.mark.parametrize("command", READING)
def test_endless_input_is_refused(command, call, monkeypatch):
    monkeypatch.setattr(commandline, "MAX_INPUT", 10_000)
    code, errors = call(command, Endless())
    assert (code, "long; the limit is" in errors) == (2, True)


@pytest.mark.parametrize("command", READING + PRINTING)
def test_ctrl_c_ends_it_without_a_traceback(command, call):
    assert call(command, Failing(KeyboardInterrupt())) == (130, "")


@pytest.mark.parametrize("command", PRINTING)
def test_it_ends_silently_when_the_program_that_reads_it_has_ended(command, call):
    assert call(command, Failing(BrokenPipeError())) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", WRITING)
def test_a_file_that_cannot_be_written_is_named(command, call):
    Path("full.svg").symlink_to("/dev/full")
    assert call(f"{command} full.svg") == (2, "full.svg cannot be written: No space left on device.\n")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_file_is_written_as_a_whole_or_not_at_all(error, tmp_path, monkeypatch):
    file = tmp_path / "levels.sok"
    for content in (b"old", b"new"):
        commandline.write_file(str(file), content)
        assert file.read_bytes() == content

    def fail_half_way(part, content):
        part.touch()
        raise error

    monkeypatch.setattr(Path, "write_bytes", fail_half_way)
    with pytest.raises(type(error)):
        commandline.write_file(str(file), b"newest")
    assert [path.name for path in tmp_path.iterdir()] == ["levels.sok"]
    assert file.read_bytes() == b"new"


def test_usage_has_the_installed_name_and_no_command_is_left_out(call, capsys):
    tested = {" ".join(command.split()[:2]) for command in READING + PRINTING + WRITING + SLOW}
    verbs = {"sokoban": COMMANDS, "klotski": read_arguments()._subparsers._group_actions[0].choices}
    for program in PROGRAMS:
        for verb in verbs.get(program, [""]):
            with pytest.raises(SystemExit):
                call(f"{program} {verb} --help")
            assert capsys.readouterr().out.startswith(f"usage: {f'{program} {verb}'.strip()} [-h]")
    assert {f"{program} {verb}" for program in verbs for verb in verbs[program]} <= tested
