"""All kernels at once: compiled at set-up, or loaded before the clock of a first search starts.

`python -m solvers.sokoban.solving.loading` compiles them into numba's cache and says how far it is.
"""

import time
from collections.abc import Callable

import numpy as np

from solvers.sokoban.level import Level
from solvers.sokoban.solving import exact
from solvers.sokoban.solving.answers import Aim
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.farthest import farthest_starts
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.portfolio import solve_any
from solvers.sokoban.solving.tree import EMPTY, refill

_ROOM = Level.parse("#########|#@------#|#-$-$---#|#---#---#|#-.-.---#|#########")
_SMALLEST = Level.parse("######|#@$-.#|#----#|######")


def load(verb: str = "all", *, report: Callable[[str], object] | None = None) -> None:
    """Load the kernels that `solve`, `prove`, `optimize` or `find` calls, or compile those nobody has compiled.

    *report* is told what is next. Under a second where all are in the cache.
    """
    stages: dict[str, tuple[tuple[str, ...], Callable[[], object]]] = {
        "greedy search": (("solve", "prove", "all"), lambda: _solve("greedy")),
        "search by plan": (("solve", "prove", "all"), lambda: _solve("plan")),
        "search by picture": (("solve", "prove", "all"), lambda: _solve("picture")),
        "proofs": (("prove", "all"), lambda: [exact.prove(_SMALLEST, aim) for aim in (Aim.PUSHES, Aim.MOVES)]),
        "optimizer": (("optimize", "prove", "all"), lambda: optimize(_SMALLEST, "duRR", Aim.MOVES, Budget())),
        "farthest starts": (("find", "all"), lambda: farthest_starts(make_board(_SMALLEST), 64, 1)),
    }
    chosen = {name: act for name, (verbs, act) in stages.items() if verb in verbs}
    for number, (name, act) in enumerate(chosen.items(), 1):
        if report:
            report(f"{number} of {len(chosen)}: {name}")
        act()


def _solve(part: str) -> None:
    solve_any(_ROOM, make_board(_ROOM), Meter(Budget()), (part,))
    tables = (np.full(8, EMPTY, np.int32), np.zeros(8, np.uint64)) * 2
    refill(*tables)  # when a table grows


def main() -> None:
    """Compile everything, with a line for each part."""
    began = time.process_time()
    load(report=lambda words: print(f"Compiling the searches, once on this machine: {words}", flush=True))
    print(f"Done in {time.process_time() - began:.1f} CPU seconds.")


if __name__ == "__main__":
    main()
