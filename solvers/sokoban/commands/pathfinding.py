"""`paths`: find a walk, or a way to push a box."""

import json
from argparse import Namespace
from typing import Any

from solvers.sokoban.commands.reading import (
    NOT_SOLVED,
    SUCCESS,
    Unusable,
    Verbs,
    add_level_argument,
    last_position,
    read_level,
)
from solvers.sokoban.drawing.draw import find_square, square_name
from solvers.sokoban.level import Level
from solvers.sokoban.paths import Fewest, push_paths, walk


def add(verbs: "Verbs[Any]") -> None:
    """Add the command to the command line."""
    command = verbs.add_parser("paths", help="find a walk, or the way to push a box; squares are named as in D4")
    add_level_argument(command)
    command.add_argument("-m", "--moves", default="", metavar="LURD", help="play these first")
    action = command.add_mutually_exclusive_group(required=True)
    action.add_argument("--walk", metavar="SQUARE", help="walk there")
    action.add_argument("--box", metavar="SQUARE", help="push the box that stands here")
    command.add_argument("--to", metavar="SQUARE", help="where to push it; else all squares it can get to are named")
    fewest = [fewest.value for fewest in Fewest]
    command.add_argument("--fewest", choices=fewest, default=Fewest.PUSHES.value, help="default: %(default)s")
    command.add_argument("--json", action="store_true", help="answer in JSON")
    command.set_defaults(command=paths)


def paths(options: Namespace) -> int:
    """Find a walk or a way to push a box. Exit code 1 if there is none."""
    board = read_level(options)
    position = last_position(board, options.moves)
    if options.walk is not None:
        path = walk(board, position, read_square(board, options.walk))
    elif read_square(board, options.box) not in position.boxes:
        raise Unusable(f"There is no box on {options.box}.")
    else:
        box_paths = push_paths(board, position, read_square(board, options.box), fewest=Fewest(options.fewest))
        if options.to is None:
            return _print_targets(board, sorted(box_paths.targets), options)
        target = read_square(board, options.to)
        path = box_paths.to(target) if target in box_paths.targets else None
    if options.json:
        print(json.dumps({"lurd": path, "moves": None if path is None else len(path)}))
    else:
        print("There is no way." if path is None else path)
    return NOT_SOLVED if path is None else SUCCESS


def _print_targets(level: Level, cells: list[int], options: Namespace) -> int:
    names = [square_name(level, cell) for cell in cells]
    print(json.dumps({"targets": names}) if options.json else " ".join(names) or "This box cannot be pushed.")
    return SUCCESS if names else NOT_SOLVED


def read_square(level: Level, name: str) -> int:
    """Return the cell with this ruler name. Raise Unusable."""
    cell = find_square(level, name)
    if cell is None:
        last = square_name(level, level.width * level.height - 1)
        raise Unusable(f"{name} is no square of this level: they are A1 to {last}.")
    return cell
