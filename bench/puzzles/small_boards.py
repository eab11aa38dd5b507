"""Small boards of eight shapes, solvable or not: answers of the searches, checked by a search through every position.

`--boards N` sets how many (default 1,000), in equal parts of each shape. Each board gets half a second of CPU time for
each answer.
"""

import os
import random
from collections.abc import Iterator

from bench.figures import Figure
from bench.puzzles.shapes import SHAPES, board_of
from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Aim, Solved, Unknown
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.solver import prove, solve
from tests.solvers.sokoban.solving.full_search import Best, best

BOARDS = int(os.environ.get("BENCH_BOARDS", "1000"))
BUDGET = Budget(cpu_seconds=0.5)


def measure() -> Iterator[Figure]:
    """Yield how many answers of `solve` and `prove` are wrong, and how many boards `solve` decides."""
    chance = random.Random(1)
    wrong = {shape.__name__: 0 for shape in SHAPES}
    decided = solvable = 0
    first = board_of(SHAPES[0], chance)
    solve(first)  # compile or load the kernels before the clock starts
    prove(first)
    for number in range(BOARDS):
        shape = SHAPES[number % len(SHAPES)]
        level = board_of(shape, chance)
        truth = best(level)
        solvable += truth.is_solvable
        some = solve(level, budget=BUDGET)
        decided += not isinstance(some, Unknown)
        lies = [] if isinstance(some, Unknown) or isinstance(some, Solved) == truth.is_solvable else ["solve"]
        for what in [*lies, *_wrong_proofs(level, truth)]:
            print(f"  board {number} ({shape.__name__}): {what} is wrong\n{level}", flush=True)
            wrong[shape.__name__] += 1
    yield Figure("small boards: with a solution", solvable, "", "boards", BOARDS)
    for name, count in wrong.items():
        what = f"small boards, {name.replace('_', ' ')}: wrong answers of solve and prove"
        yield Figure(what, count, "", target="none", is_met=not count)
    enough = decided >= 0.99 * BOARDS
    yield Figure("small boards: decided by solve", decided, "", "boards", BOARDS, "at least 99 %", enough)


def _wrong_proofs(level: Level, truth: Best) -> Iterator[str]:
    """Yield the aims of `prove` whose answer is not the truth; no answer within the budget is not wrong."""
    moves_then_pushes = truth.moves_then_pushes[::-1] if truth.moves_then_pushes else None
    for aim, fewest in (Aim.PUSHES, truth.pushes_then_moves), (Aim.MOVES, moves_then_pushes):
        answer = prove(level, aim, BUDGET)
        found = (answer.pushes, answer.moves) if isinstance(answer, Solved) else None
        if found != fewest and not isinstance(answer, Unknown):
            yield f"prove {aim.value}"
