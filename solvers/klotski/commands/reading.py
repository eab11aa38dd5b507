"""Read the input of a command: layouts by text, name or file, goals and moves."""

import argparse
from argparse import Namespace
from pathlib import Path

from solvers.klotski.errors import UnknownName
from solvers.klotski.goals import Goal, Question, question
from solvers.klotski.layout import Layout
from solvers.klotski.names import classic
from solvers.sokoban.commands.reading import text


def layout(given: str) -> Layout:
    """Return the layout given by name, file, standard input (`-`), or text. Raise PuzzleError or Unusable."""
    try:
        return classic(given).layout
    except UnknownName:
        pass
    is_file = given == "-" or (len(given) < 256 and "\n" not in given and Path(given).is_file())
    return Layout.parse(text(given) if is_file else given)


def question_of(options: Namespace) -> Question:
    """Return the question described by the command's options."""
    goal = layout(options.to) if options.to else Goal(options.goal)
    return question(layout(options.layout), goal, is_strict=options.strict)


def takes_layout(command: argparse.ArgumentParser) -> None:
    """Add the layout argument to *command*."""
    command.add_argument(
        "layout",
        metavar="LAYOUT",
        help="five rows as VCCV/VCCV/VHHV/VooV/o..o, a name, a file, or - for standard input",
    )


def takes_goal(command: argparse.ArgumentParser) -> None:
    """Add the goal options to *command*."""
    command.add_argument(
        "--goal", choices=[goal.value for goal in Goal], default=Goal.EXIT.value, help="default: %(default)s"
    )
    command.add_argument("--to", metavar="LAYOUT", help="another layout as the goal")
    command.add_argument("--strict", action="store_true", help="every piece must come to its own place")
