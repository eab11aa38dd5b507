"""Read the input of a command: layouts by text, name or file, goals and moves."""

import argparse
from argparse import Namespace
from pathlib import Path

from solvers.klotski.errors import UnknownName
from solvers.klotski.goals import Goal, Question, question
from solvers.klotski.layout import Layout
from solvers.klotski.names import classic
from solvers.sokoban.commands.reading import read_text


def read_layout(source: str) -> Layout:
    """Return the layout given by name, file, standard input (`-`), or text. Raise PuzzleError or Unusable."""
    try:
        return classic(source).layout
    except UnknownName:
        pass
    is_file = source == "-" or (len(source) < 256 and "\n" not in source and Path(source).is_file())
    return Layout.parse(read_text(source) if is_file else source)


def read_question(options: Namespace) -> Question:
    """Return the question described by the command's options."""
    goal = read_layout(options.to) if options.to else Goal(options.goal)
    return question(read_layout(options.layout), goal, is_strict=options.strict)


def add_layout_argument(command: argparse.ArgumentParser) -> None:
    """Add the layout argument to *command*."""
    command.add_argument(
        "layout",
        metavar="LAYOUT",
        help="five rows as VCCV/VCCV/VHHV/VooV/o..o, a name, a file, or - for standard input",
    )


def add_goal_options(command: argparse.ArgumentParser) -> None:
    """Add the goal options to *command*."""
    command.add_argument(
        "--goal", choices=[goal.value for goal in Goal], default=Goal.EXIT.value, help="default: %(default)s"
    )
    command.add_argument("--to", metavar="LAYOUT", help="another layout as the goal")
    command.add_argument("--strict", action="store_true", help="every piece must come to its own place")
