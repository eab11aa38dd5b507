"""Compile all kernels, at installation or before the time budget of a first search starts.

`python -m solvers.sokoban.solving.loading` compiles them into numba's cache and prints its progress.
"""

import time
from collections.abc import Callable

import numpy as np

from solvers.sokoban.coaching.tutor import explain_loss
from solvers.sokoban.level import Level
from solvers.sokoban.solving import compiling, exact
from solvers.sokoban.solving.answers import Aim
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.farthest import farthest_starts
from solvers.sokoban.solving.floor.squares import live_squares
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.portfolio import solve_any
from solvers.sokoban.solving.proving import states
from solvers.sokoban.solving.searching import tree

_ROOM = Level.parse("#########|#@------#|#-$-$---#|#---#---#|#-.-.---#|#########")
_SMALLEST = Level.parse("######|#@$-.#|#----#|######")


def missing_stages(verb: str = "all") -> dict[str, Callable[[], object]]:
    """Return functions by stage that compile the kernels of *verb* which are not cached yet.

    *verb* is `solve`, `prove`, `optimize`, `coach`, `find`, or `solve_small`, which has a fifth of the kernels of
    `solve`.
    """
    stages: dict[str, tuple[tuple[str, ...], Callable[[], object]]] = {
        "greedy search": (("solve_small", "solve", "prove", "all"), lambda: _solve("greedy")),
        "search by plan": (("solve", "prove", "all"), lambda: _solve("plan")),
        "search by picture": (("solve", "prove", "all"), lambda: _solve("picture")),
        "proofs": (("prove", "all"), _prove),
        "optimizer": (("optimize", "coach", "prove", "all"), lambda: optimize(_SMALLEST, "duRR", Aim.MOVES, Budget())),
        "tutor": (("all",), lambda: explain_loss(_SMALLEST)),
        "farthest starts": (("find", "all"), lambda: farthest_starts(make_board(_SMALLEST), 64, 1)),
    }
    folder = compiling.cache_folder()
    return {name: act for name, (verbs, act) in stages.items() if verb in verbs and not (folder / name).exists()}


def load(verb: str = "all", *, report: Callable[[str], object] | None = None) -> None:
    """Compile the kernels of *verb* that are not cached yet: see `missing_stages`.

    *report* is called with the name of each stage before it. Cached kernels are loaded at their first call,
    so most levels load only some of them.
    """
    chosen = missing_stages(verb)
    with compiling.without_collector():
        for number, (name, act) in enumerate(chosen.items(), 1):
            if report:
                report(f"{number} of {len(chosen)}: {name}")
            act()
            (compiling.cache_folder() / name).touch()
        make_board(_SMALLEST)  # its first call initialises numba


def _solve(part: str) -> None:
    solve_any(_ROOM, make_board(_ROOM), Meter(Budget()), (part,))
    places, keys = np.full(8, tree.EMPTY, np.int32), np.zeros(8, np.uint64)
    tree.refill(places, keys, places, keys)  # runs when a table grows
    tree.index_keys(keys, 0, places, keys)  # runs when a search passes its seen states to another


def _prove() -> None:
    for aim in (Aim.PUSHES, Aim.MOVES):
        exact.prove_exactly(_ROOM, aim)
    board = make_board(_SMALLEST)
    squares = live_squares(board.dead)
    store = states.make_store(squares, 1, with_moves=False)
    states.refill(board, squares, store, states.make_slots(8), states.make_slots(8), np.zeros(board.size, np.int32))


def main() -> None:
    """Compile everything, and print a line for each part."""
    began = time.process_time()
    compiling.forget_other_sources()
    load(report=lambda words: print(f"Compiling the searches, once on this machine: {words}", flush=True))
    print(f"Done in {time.process_time() - began:.1f} CPU seconds.")


if __name__ == "__main__":
    main()
