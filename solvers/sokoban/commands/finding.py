"""`find`: find new levels, far from their goals, and write them as a collection."""

from argparse import Namespace
from typing import Any

from solvers.sokoban.commands import asking
from solvers.sokoban.commands.meter import Meter
from solvers.sokoban.commands.reading import NOT_SOLVED, SUCCESS, Unusable, Verbs, read_levels, write_output
from solvers.sokoban.commands.solving import INTERRUPTED, add_budget_options, budget_of, interruptible, positive_int
from solvers.sokoban.formats import Attempt, Collection, Entry, Kind, sok

THEMES = ["parking", "order", "corral", "detour"]


def add(verbs: "Verbs[Any]") -> None:
    """Add the command to the command line."""
    command = verbs.add_parser("find", help="find levels whose solutions are long, and write them as a collection")
    command.add_argument(
        "walls", nargs="?", metavar="LEVEL", help="take the walls of this level; default: create rooms"
    )
    command.add_argument("-n", "--number", type=int, metavar="N", help="take level N of the file")
    command.add_argument("--boxes", type=positive_int, default=3, metavar="N", help="boxes of each level; default: 3")
    command.add_argument(
        "--width", type=positive_int, default=7, metavar="N", help="inner width of created rooms; default: 7"
    )
    command.add_argument(
        "--height", type=positive_int, default=6, metavar="N", help="inner height of created rooms; default: 6"
    )
    command.add_argument(
        "--most", choices=["pushes", "moves", "changes"], default="pushes", help="what to maximise; default: pushes"
    )
    command.add_argument("--difficulty", choices=["easy", "medium", "hard", "expert"], help="only of this band")
    command.add_argument("--theme", choices=THEMES, help="only levels that cannot be solved without it")
    command.add_argument("--boards", type=positive_int, default=200, metavar="N", help="boards to try; default: 200")
    command.add_argument("--levels", type=positive_int, default=10, metavar="N", help="levels to keep; default: 10")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed finds the same levels")
    add_budget_options(command, None, "in all")
    command.add_argument("-o", "--output", metavar="FILE", help="where to write them; else standard output")
    command.set_defaults(command=find)


def find(options: Namespace) -> int:
    """Find levels and write them. Ctrl-C writes the best levels so far."""
    asking.require_solver()
    from solvers.sokoban.solving import Budget
    from solvers.sokoban.solving.solver import find as find_levels

    walls = read_levels(options.walls, 1 if options.number is None else options.number)[0] if options.walls else None
    meter = Meter(f"boards tried of {options.boards}")
    with interruptible() as stop:
        try:
            found_levels = find_levels(
                options.boxes, walls=walls, width=options.width, height=options.height, quality=options.most,
                band=options.difficulty, theme=options.theme,
                boards=options.boards, most=options.levels, seed=options.seed, budget=Budget(**budget_of(options)),
                report=lambda done, _best: meter.show(done), cancelled=stop,
            )  # fmt: skip
        except ValueError as error:
            raise Unusable(f"No level can be found: {error}.") from None
        meter.end()
    entries = tuple(_entry(number, level) for number, level in enumerate(found_levels, 1))
    kind = " ".join(filter(None, (options.difficulty, options.theme)))
    name = f"{options.boxes} boxes, most {options.most}, {kind + ', ' if kind else ''}seed {options.seed}"
    write_output(sok.write(Collection(name, entries=entries)), options.output)
    return INTERRUPTED if stop.is_requested else SUCCESS if entries else NOT_SOLVED


def _entry(number: int, found_level: Any) -> Entry:
    level, solution = found_level.level, found_level.solution
    tags = [
        f"Size: {level.width}x{level.height}",
        f"Boxes: {len(level.boxes)}",
        f"Optimum: {solution.pushes} pushes, {solution.moves} moves (fewest {solution.proven}: proved)",
        f"Difficulty: {found_level.difficulty.band.name.lower()} ({found_level.difficulty.score:.1f})",
    ]
    attempt = Attempt(Kind.SOLUTION, solution.lurd, solution.moves, solution.pushes)
    return Entry(number, 0, level, title=f"Found {number}", comments="\n".join(tags), attempts=(attempt,))
