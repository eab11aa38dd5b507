"""The examples of the pages about the puzzle library."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from solvers.sokoban.making.series import ladder

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("solvers", "knights", "games", "klotski")]
# Of a library without commands.
PYTHON_PAGES = [*PAGES, ROOT / "docs" / "logic.md"]


def blocks(page):
    return re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("docs")


@pytest.mark.parametrize("block", [block for page in PAGES for block in blocks(page)], ids=lambda block: block[:60])
def test_the_commands_of_a_page_answer_as_it_says(folder, block):
    """Blocks stand in the order of the page; the first of solvers.md makes the file that its others use."""
    make_ladder(folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        command_here = command.replace("python -m", f"'{sys.executable}' -m")
        done = subprocess.run(
            ["sh", "-c", f"{command_here} 2>&1"], cwd=folder, env=environment, capture_output=True, check=False
        )
        assert done.stdout.decode() == expected, command


def make_ladder(folder):
    member = ladder(4)
    (folder / "ladder.sok").write_text(f"{member.level}\nTitle: Ladder 4\n\nSolution/Moves 59/18\n{member.solution}\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_commands_to_run(page):
    assert len(blocks(page)) >= 3


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: page.stem)
def test_the_python_examples_of_a_page_are_true(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, tried > 8) == (0, True)
