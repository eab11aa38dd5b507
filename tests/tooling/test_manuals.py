"""Man pages and completions say what the parsers say, and shells complete by them."""

import argparse
import shutil
import subprocess

import pytest

from tooling import manuals

FILES = manuals.files()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_files_are_up_to_date(path):
    """Where not: `python3 dev.py manuals`."""
    assert path.read_text() == FILES[path]


def page_of(command: str) -> str:
    return next(text for path, text in FILES.items() if path.name == f"{command}.1")


def test_every_command_and_every_option_stands_in_the_page():
    page = page_of("sokoban")
    assert "\nsokoban \\- Replay, check, convert, draw and solve Sokoban levels\n" in page
    assert ".SS optimize" in page
    assert "\\fB\\-\\-cpu\\-seconds\\fR" in page


@pytest.mark.parametrize("command", [*manuals.PUZZLES, "leitai"])
def test_every_word_that_is_taken_has_a_line_of_help(command):
    lines = page_of(command).splitlines()
    assert [lines[at + 1] for at, line in enumerate(lines) if line == ".TP" and not lines[at + 2]] == []


OFFERED = [
    ("sokoban so", ["solve"]),
    ("sokoban solve --a", ["--aim"]),
    ("sokoban solve --aim p", ["pushes"]),
    ("klotski dr", ["draw"]),
    ("knights --pa", ["--path"]),
    ("games ka", ["kayles"]),
    ("leitai st", ["standings"]),
    ("leitai standings 7 --by ", ["moves", "pushes"]),
    ("leitai submit sol", []),
]


BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_$1
printf "%s\\n" "${COMPREPLY[@]}"
"""

# What zsh's own functions do with a list, without the terminal that they write to.
ZSH = """
_files() { }
_describe() {
  [[ $1 == -o && $words[CURRENT] != -* ]] && return 1
  local one found=1
  for one in "${(@P)@[-1]}"; do
    [[ $one == $words[CURRENT]* ]] && print -r -- ${one%%:*} && found=0
  done
  return found
}
file=$1; shift
words=("$@") CURRENT=$#
source $file
"""


FISH = 'source $argv[1]; complete -C (string join " " -- $argv[2..])'
# How each is begun, and what it does with the file of completions and the words typed.
SHELLS = {
    "bash": ["bash", "-c", BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    "fish": ["fish", "--no-config", "-c", FISH],
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("typed", "offered"), OFFERED)
def test_a_shell_offers_what_may_follow(shell, typed, offered, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"needs {shell}")
    file = next(path for path in FILES if path.name == f"{typed.split()[0]}.{shell}")
    given = [*SHELLS[shell], str(file), *typed.split(" ")]
    done = subprocess.run(given, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert sorted(line.partition("\t")[0] for line in done.stdout.split("\n") if line) == sorted(offered)


def test_what_troff_would_take_for_its_own_stays_text():
    parser = argparse.ArgumentParser(description="It works.", epilog="examples:\n  .x \\n\n\nexit codes: 0 fine")
    parser.add_argument("--dot", help=".dots and a \\ back")
    page = manuals.page("it", parser)
    assert "\n\\&.dots and a \\e back\n" in page
    assert "\n\\&.x \\en\n" in page
