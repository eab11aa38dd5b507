"""Small random boards, solvable or not: answers of the searches, checked by a search through every position.

`--boards N` sets how many (default 1,000). Each board gets half a second of CPU time.
"""

import os
import random
from collections.abc import Iterator

from bench.figures import Figure
from solvers.sokoban.solving.answers import Aim, Solved, Unknown
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.solver import prove, solve
from tests.solvers.sokoban.solving.full_search import cheapest, small_level

BOARDS = int(os.environ.get("BENCH_BOARDS", "1000"))
BUDGET = Budget(cpu_seconds=0.5)


def measure() -> Iterator[Figure]:
    """Yield how many answers of `solve` and `prove` are wrong, and how many boards `solve` decides."""
    chance = random.Random(1)
    wrong, decided, solvable = 0, 0, 0
    solve(small_level(chance))  # compile or load the kernels before the clock starts
    prove(small_level(chance))
    for number in range(BOARDS):
        level = small_level(chance)
        truth = cheapest(level, lambda pushed: (int(pushed), 1))  # type: ignore[no-untyped-call]  # of the tests
        solvable += truth is not None
        some, best = solve(level, budget=BUDGET), prove(level, Aim.PUSHES, BUDGET)
        decided += not isinstance(some, Unknown)
        if isinstance(some, Solved) != (truth is not None) and not isinstance(some, Unknown):
            print(f"  board {number}: solve is wrong\n{level}", flush=True)
            wrong += 1
        found = (best.pushes, best.moves) if isinstance(best, Solved) else None
        if found != truth and not isinstance(best, Unknown):
            print(f"  board {number}: prove is wrong\n{level}", flush=True)
            wrong += 1
    yield Figure("small boards: with a solution", solvable, "", "boards", BOARDS)
    yield Figure("small boards: wrong answers of solve and prove", wrong, "", target="none", is_met=wrong == 0)
    enough = decided >= 0.99 * BOARDS
    yield Figure("small boards: decided by solve", decided, "", "boards", BOARDS, "at least 99 %", enough)
