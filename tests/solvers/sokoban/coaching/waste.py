"""Solutions with known waste: good ones with detours put in, or with their pushes in a worse order."""

from typing import NamedTuple

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.coaching.coach import straighten
from solvers.sokoban.playback import Playback
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.floor.pushes import in_moves, pushes_of
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.solver import solve
from tests.solvers.sokoban.solving.full_search import pulled_level, steps

_BACK = {"l": "r", "r": "l", "u": "d", "d": "u"}


class Wasteful(NamedTuple):
    """A solution *lurd* that needs *waste* moves more than a known one."""

    level: Level
    lurd: str
    waste: int


def own_solutions(chance):
    while True:
        level = pulled_level(chance, max_side=8, max_boxes=4)
        yield level, solve(level).lurd


def with_detours(level, lurd, chance):
    """Return the solution, its own detours removed, with some walks out and back put in."""
    lurd = straighten(level, make_board(level), lurd)
    playback, letters = Playback(level, lurd), list(lurd)
    places = sorted(chance.sample(range(len(lurd)), min(3, len(lurd))), reverse=True)
    for place in places:
        letters.insert(place, _walk_and_back(level, playback[place], chance))
    return _wasteful(level, lurd, "".join(letters))


def _walk_and_back(level, position, chance):
    letters = {-1: "l", 1: "r", -level.width: "u", level.width: "d"}
    out, cell = "", position.player
    for _ in range(chance.randint(1, 6)):
        free = [to for (to, _boxes), pushed in steps(level, cell, frozenset(position.boxes)) if not pushed]
        if free:
            out += letters[(to := chance.choice(free)) - cell]
            cell = to
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
