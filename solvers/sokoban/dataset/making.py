"""Make the levels of the data set: each from its own random numbers, so that any process makes the same ones.

For each level, a number of pushes is drawn from its grade. A random room is changed until the start position farthest
from its goals needs as many (hill climbing, as in `solving.finding`). The level is a random one of the start positions
in that room that need exactly that number. The number is exact by exhaustive search backward from the goals, and is
proved again by A* forward from the start.
"""

import random
from bisect import bisect_left
from dataclasses import replace
from typing import NamedTuple

from solvers.sokoban.checks.deadlocks import dead_squares
from solvers.sokoban.dataset import GRADES, VERSION, DatasetLevel, split_of
from solvers.sokoban.level import PLAYER, Level
from solvers.sokoban.making.rooms import mutate_room, random_room
from solvers.sokoban.solving.answers import Aim, Solved
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.difficulty import difficulty
from solvers.sokoban.solving.exact import prove_exactly
from solvers.sokoban.solving.farthest import Start, Starts
from solvers.sokoban.solving.finding import level_of, solved_board

# Nodes, never seconds: the levels must not depend on the machine.
_STATES = 50_000
_PUSHES_BUDGET = Budget(nodes=400_000)
_MOVES_BUDGET = Budget(nodes=200_000)
_TRIES_ON_A_HILL = 40  # rooms tried without improvement before a new start


class Size(NamedTuple):
    """Floor of the room and boxes."""

    width: int
    height: int
    boxes: int


_SIZES = {
    1: (Size(4, 3, 1), Size(5, 4, 1), Size(4, 4, 2), Size(5, 4, 2)),
    2: (Size(5, 5, 1), Size(5, 4, 2), Size(5, 5, 2), Size(6, 5, 2)),
    3: (Size(6, 5, 2), Size(6, 5, 3), Size(7, 5, 3)),
    4: (Size(7, 6, 3), Size(8, 6, 3), Size(8, 7, 3)),
    5: (Size(8, 6, 3), Size(8, 7, 3)),
}


def make_level(seed: int, number: int, attempt: int = 0) -> DatasetLevel:
    """Return level *number* of the data set of *seed*; *attempt* counts the duplicates that were made before it."""
    name = f"{VERSION}/{seed}/{number}/{attempt}"
    rng = random.Random(name)  # noqa: S311 - no secret: the same seed must make the same levels
    grade = 1 + number % len(GRADES)
    while True:
        level = _find_level(rng, grade)
        solution = prove_exactly(level, Aim.PUSHES, _PUSHES_BUDGET)
        if isinstance(solution, Solved):
            return _describe(f"leitai-{VERSION}-{seed}-{number:05}", name, grade, level, solution)


def _describe(identity: str, seed: str, grade: int, level: Level, solution: Solved) -> DatasetLevel:
    by_moves = prove_exactly(level, Aim.MOVES, _MOVES_BUDGET, known=replace(solution, proven=None))
    estimate = difficulty(level, solution.lurd)
    return DatasetLevel(
        id=identity,
        seed=seed,
        xsb=str(level),
        grade=grade,
        split=split_of(level.key),
        push_optimum=solution.pushes,
        move_optimum=by_moves.moves if isinstance(by_moves, Solved) else None,
        difficulty=estimate.band.name.lower(),
        difficulty_score=round(estimate.score, 2),
        dead_squares=tuple(sorted(dead_squares(level))),
        solution=solution.lurd,
        key=level.key,
    )


def _find_level(rng: random.Random, grade: int) -> Level:
    """Draw a number of pushes, climb to a room with such starts, and return one of them, with the player anywhere."""
    size, pushes = rng.choice(_SIZES[grade]), rng.choice(GRADES[grade])
    while True:
        hill, height, tries = random_room(rng, None, size.width, size.height, size.boxes), -1, 0
        plan = hill
        while tries <= _TRIES_ON_A_HILL:
            board = solved_board(plan, rng, size.boxes)
            starts = Starts(board, _STATES) if board else []
            reached = starts[-1].pushes if starts else -1
            if board and reached >= pushes:
                first, end = (bisect_left(starts, least, key=_pushes_of) for least in (pushes, pushes + 1))
                return _move_player(rng, level_of(board, plan, starts[rng.randrange(first, end)]).reached_part())
            tries = 0 if reached > height else tries + 1
            if reached >= height:  # also along a ridge
                hill, height = plan, reached
            plan = mutate_room(rng, hill, may_build=True)


def _pushes_of(start: Start) -> int:
    return start.pushes


def _move_player(rng: random.Random, level: Level) -> Level:
    cells = bytearray(level.cells)
    cells[level.player] &= ~PLAYER
    cells[rng.choice(sorted(level.region))] |= PLAYER
    return Level(level.width, level.height, bytes(cells))
