"""`tree` and `speed`: draw the search trees of a level, and time its path search."""

import json
from argparse import Namespace
from typing import Any

from solvers.sokoban.commands.pathfinding import read_square
from solvers.sokoban.commands.reading import SUCCESS, Unusable, Verbs, add_level_argument, read_level, write_output
from solvers.sokoban.level import Level
from solvers.sokoban.making import timing
from solvers.sokoban.making.hall import hall
from solvers.sokoban.position import Position
from solvers.sokoban.teaching import Low, draw_floor, draw_floor_tree, draw_push_tree


def add(verbs: "Verbs[Any]") -> None:
    """Add both commands to the command line."""
    drawing = verbs.add_parser("tree", help="draw the depth-first tree of a floor, or one box's pushes, as SVG")
    add_level_argument(drawing)
    drawing.add_argument("--box", metavar="SQUARE", help="lift this box, the others are walls; else all are lifted")
    drawing.add_argument("--pushes", action="store_true", help="draw the pushes of the box, breadth first")
    drawing.add_argument("--nodes", action="store_true", help="draw the tree from its root down, not on the floor")
    low = [low.value for low in Low]
    drawing.add_argument("--low", choices=low, default=Low.NUMBER.value, help="low numbers by; default: %(default)s")
    drawing.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    drawing.set_defaults(command=draw_tree)
    measuring = verbs.add_parser(
        "speed", help="time the path search of the first box; without LEVEL in a hall of 50 x 50"
    )
    add_level_argument(measuring, nargs="?")
    measuring.add_argument("--json", action="store_true", help="answer in JSON")
    measuring.set_defaults(command=speed)


def draw_tree(options: Namespace) -> int:
    """Draw a search tree of a level as SVG."""
    level = read_level(options)
    if len(level.players) != 1:
        raise Unusable("The picture needs a level with one player.")
    box = None if options.box is None else read_square(level, options.box)
    if box is not None and box not in level.boxes:
        raise Unusable(f"There is no box on {options.box}.")
    if options.pushes:
        if not level.boxes:
            raise Unusable("This level has no box.")
        svg = draw_push_tree(level, Position.start(level), min(level.boxes) if box is None else box, standalone=True)
    else:
        draw = draw_floor_tree if options.nodes else draw_floor
        svg = draw(level, box=box, by=Low(options.low), standalone=True)
    write_output(f"{svg}\n".encode(), options.output)
    return SUCCESS


def speed(options: Namespace) -> int:
    """Time the path search of a level, or of the hall."""
    level: Level = hall() if options.level is None else read_level(options)
    result = timing.measure(level)
    if options.json:
        print(json.dumps(result))
        return SUCCESS
    for row in result["timings"]:
        kernel = "" if row["kernel"] is None else f", compiled {row['kernel']:.2f} ms"
        print(f"Fewest {row['fewest']}, all squares: plain Python {row['plain']:.1f} ms{kernel}")
    print(f"CPU time, median of {timing.RUNS} runs; {result['processor']}, Python {result['python']}.")
    return SUCCESS
