"""Solutions with known waste: good ones with detours put in, or with their pushes in a worse order."""

from typing import NamedTuple

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.coaching.coach import straighten
from solvers.sokoban.level import WALL
from solvers.sokoban.playback import Playback
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.floor.pushes import in_moves, pushes_of
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.solver import solve
from tests.solvers.shared_data import json_lines
from tests.solvers.sokoban.solving.full_search import pulled_level

_BACK = {"l": "r", "r": "l", "u": "d", "d": "u"}


class Wasteful(NamedTuple):
    """A solution *lurd* that needs *waste* moves more than a known one."""

    level: Level
    lurd: str
    waste: int


def own_solutions(chance):
    """Yield small generated levels with solutions, without end."""
    while True:
        level = pulled_level(chance, max_side=8, max_boxes=4)
        yield level, solve(level).lurd


def real_solutions(chance):
    """Yield the levels of Microban I and XSokoban in random order, with solutions of people and programs."""
    pairs = {row["xsb"]: row for name in ("microban1", "xsokoban") for row in json_lines(f"pairs/{name}.jsonl")}
    rows = [row for row in pairs.values() if row["set"] in ("Microban I", "XSokoban")]
    for row in chance.sample(rows, len(rows)):
        level = Level.parse(row["xsb"])
        yield level, replay(level, Moves.parse(row["lurd"])).lurd


def with_detours(level, lurd, chance):
    """Return the solution, its own detours removed, with some walks out and back put in."""
    lurd = straighten(level, make_board(level), lurd)
    playback, steps = Playback(level, lurd), list(lurd)
    places = sorted(chance.sample(range(len(lurd)), min(3, len(lurd))), reverse=True)
    for place in places:
        steps.insert(place, _walk_and_back(level, playback[place], chance))
    return _wasteful(level, lurd, "".join(steps))


def _walk_and_back(level, position, chance):
    deltas = {"l": -1, "r": 1, "u": -level.width, "d": level.width}
    out, cell = "", position.player
    for _ in range(chance.randint(1, 6)):
        free = [
            letter
            for letter, delta in deltas.items()
            if not level.cells[cell + delta] & WALL and cell + delta not in position.boxes
        ]
        if free:
            out += chance.choice(free)
            cell += deltas[out[-1]]
    return out + "".join(_BACK[letter] for letter in reversed(out))


def with_worse_order(level, lurd, chance):
    """Return the solution, first bettered, with some pushes made earlier or later so that it takes more moves."""
    lurd = optimize(level, lurd, "moves", Budget(cpu_seconds=0.5)).lurd
    board = make_board(level)
    pushes, worst = pushes_of(board, lurd), lurd
    for _ in range(60):
        order = pushes.copy()
        order.insert(chance.randrange(len(order)), order.pop(chance.randrange(len(order))))
        walked = in_moves(board, order)
        if walked and len(walked) > len(worst) and len(walked) == replay(level, Moves.parse(walked)).moves:
            pushes, worst = order, walked
    return _wasteful(level, lurd, worst)


def _wasteful(level, lurd, worse):
    assert replay(level, Moves.parse(worse)).is_solved
    return Wasteful(level, worse, len(worse) - len(lurd))
