"""`check`, `names` and `atlas`: information about one layout, the named layouts, and all layouts."""

import json
from argparse import Namespace
from typing import Any

from solvers.klotski import atlas
from solvers.klotski.commands.reading import add_layout_argument, read_layout
from solvers.klotski.names import CLASSICS, name_of
from solvers.klotski.numbering import number
from solvers.sokoban.commands.meter import write_lines
from solvers.sokoban.commands.reading import SUCCESS, Verbs, write_output
from solvers.sokoban.commands.words import number_of


def add(verbs: "Verbs[Any]") -> None:
    """Add the commands to the command line."""
    checking = verbs.add_parser("check", help="read a layout and say what is known of it")
    add_layout_argument(checking)
    checking.add_argument("--json", action="store_true", help="print one JSON object")
    checking.set_defaults(command=check)
    naming = verbs.add_parser("names", help="list the layouts with names")
    naming.set_defaults(command=print_names)
    listing = verbs.add_parser("atlas", help="write the dictionary, or the file of all distances to the exit")
    listing.add_argument("--export", metavar="FILE", help="compute exit.bin: two bits for each layout")
    listing.set_defaults(command=print_atlas)


def check(options: Namespace) -> int:
    """Print a layout's number, class, name, distance to the exit and best next moves."""
    board = read_layout(options.layout)
    known, distance = name_of(board), atlas.distance(board)
    best = " ".join(map(str, atlas.best_moves(board)))
    if options.json:
        print(json.dumps({
            "layout": board.cells, "number": number(board), "horizontals": board.horizontals,
            "name": known.chinese if known else None, "moves": distance, "best": best.split(),
        }, ensure_ascii=False))  # fmt: skip
        return SUCCESS
    print(board)
    name = f"{known.chinese} ({known.english}), " if known else ""
    print(f"{name}number {number(board):,}, {number_of(board.horizontals, 'horizontal')}.")
    print("The exit cannot be reached." if distance is None else f"{number_of(distance, 'move')} to the exit.")
    if best:
        print(f"Best next: {best}")
    return SUCCESS


def print_names(_options: Namespace) -> int:
    """List the named layouts."""
    for known in CLASSICS:
        print(f"{known.cells}  {known.moves:>3}  {known.chinese}  {known.english}")
    return SUCCESS


def print_atlas(options: Namespace) -> int:
    """Write `exit.bin`, or print the dictionary with one JSON object per line."""
    if options.export:
        write_output(atlas.export(), options.export)
        return SUCCESS
    lines = (json.dumps({"layout": cells, "moves": moves, "next": move}) for cells, moves, move in atlas.dictionary())
    return write_lines(lines, "layouts")
