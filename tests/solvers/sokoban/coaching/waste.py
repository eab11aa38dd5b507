"""Solutions with known waste: good ones with detours put in."""

from typing import NamedTuple

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.coaching.coach import straighten
from solvers.sokoban.playback import Playback
from solvers.sokoban.solving.board import make_board
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
    worse = "".join(letters)
    assert replay(level, Moves.parse(worse)).is_solved
    return Wasteful(level, worse, len(worse) - len(lurd))


def _walk_and_back(level, position, chance):
    letters = {-1: "l", 1: "r", -level.width: "u", level.width: "d"}
    out, cell = "", position.player
    for _ in range(chance.randint(1, 6)):
        free = [to for (to, _boxes), pushed in steps(level, cell, frozenset(position.boxes)) if not pushed]
        if free:
            out += letters[(to := chance.choice(free)) - cell]
            cell = to
    return out + "".join(_BACK[letter] for letter in reversed(out))
