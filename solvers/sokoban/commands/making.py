"""`rebuild` and `series`: make levels from solutions, or from a construction."""

import json
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from solvers.sokoban.commands.reading import SUCCESS, Verbs, add_moves_options, read_moves
from solvers.sokoban.formats import sok
from solvers.sokoban.making import series
from solvers.sokoban.making.rebuild import level_of
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay

SERIES: dict[str, Callable[[int], series.Member]] = {
    "classic": series.classic,
    "ladder": series.ladder,
    "rooms": series.rooms,
}


def add(verbs: "Verbs[Any]") -> None:
    """Add both commands to the command line."""
    rebuilding = verbs.add_parser("rebuild", help="rebuild a level from a solution whose capitals are the pushes")
    add_moves_options(rebuilding)
    rebuilding.add_argument("--json", action="store_true", help="answer in JSON")
    rebuilding.set_defaults(command=rebuild)
    making = verbs.add_parser("series", help="make a level with an exponentially long solution")
    making.add_argument("name", choices=sorted(SERIES), help="whose construction it is")
    making.add_argument("number", type=int, metavar="N", help="how large: the solution grows exponentially with it")
    making.add_argument("--json", action="store_true", help="answer in JSON")
    making.set_defaults(command=make_member)


def rebuild(options: Namespace) -> int:
    """Rebuild a level from its solution."""
    text = read_moves(options)
    level = level_of(text)
    result = replay(level, Moves.parse(text))
    if options.json:
        print(json.dumps({"xsb": str(level), "moves": result.moves, "pushes": result.pushes, "cut": result.cut}))
    else:
        print(level)
    return SUCCESS


def make_member(options: Namespace) -> int:
    """Write a member of a series and its solution."""
    member = SERIES[options.name](options.number)
    if options.json:
        fields = {"xsb": str(member.level), "lurd": member.solution, "moves": member.moves, "pushes": member.pushes}
        print(json.dumps(fields))
        return SUCCESS
    title = f"Title: {options.name.capitalize()} {options.number}"
    head = f"Solution/Moves {member.moves}/{member.pushes}"
    print("\n".join([str(member.level), title, "", head, *sok.wrap(member.solution)]))
    return SUCCESS
