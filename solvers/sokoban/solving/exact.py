"""Find a solution with the fewest pushes or moves, or prove that there is none.

`prove_exactly` runs the A* search of `astar` in batches within a budget. Everything it prunes (dead squares, frozen
boxes, boxes without goals, closed corrals) is provably unsolvable, so an exhausted open list is a proof. `solver.prove`
is the entry point, which adds the other searches.
"""

from collections.abc import Callable
from dataclasses import replace

from solvers.errors import BadLevel
from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Aim, Answer, Proof, Solved, Unknown, Unsolvable, proof_aim, verify
from solvers.sokoban.solving.board import Board, Hopeless, make_board
from solvers.sokoban.solving.budget import Budget, Meter, Report
from solvers.sokoban.solving.proving import open_list
from solvers.sokoban.solving.proving.best_first import SearchEnd, cost, search
from solvers.sokoban.solving.proving.symmetries import symmetries

NAME = "exact"


def prove_exactly(
    level: Level,
    aim: Aim | str = Aim.PUSHES,
    budget: Budget = Budget(),  # noqa: B008 - frozen
    *,
    known: Solved | None = None,
    report: Report | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Answer:
    """Find a solution of *level* with the fewest pushes or the fewest moves (then pushes), or prove there is none.

    Among solutions with the fewest pushes, it returns the one with the fewest moves found within the budget.

    >>> prove_exactly(Level.parse("######|#@$-.#|######")).proven
    <Aim.PUSHES: 'pushes'>

    A *known* solution saves memory, and is the `best` of an Unknown if nothing better is found. Raise BadLevel
    if no replay can judge the level.
    """
    aim = proof_aim(aim)
    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    meter = Meter(budget, report=report, cancelled=cancelled)
    try:
        board = make_board(level)
    except Hopeless:
        return Unsolvable(Proof.OUT_OF_REACH, by=NAME)
    if not len(board.boxes):
        return Unsolvable(Proof.OUT_OF_REACH, by=NAME)  # no box can be pushed, and a solution needs a push
    return _Proof(level, board, meter, known).prove(aim)


class _Proof:
    """Proof of one level within one budget."""

    def __init__(self, level: Level, board: Board, meter: Meter, known: Solved | None) -> None:
        self._level, self._board, self._meter, self._best = level, board, meter, known

    def prove(self, aim: Aim) -> Answer:
        outcome = self._search(open_list.MOVES_PUSHES if aim == Aim.MOVES else open_list.PUSHES)
        if outcome.limit is not None:
            return Unknown(outcome.limit, outcome.pushes, outcome.moves, self._best, *self._cost())
        if outcome.lurd is not None:
            self._best = verify(self._level, outcome.lurd, proven=aim, by=NAME)
        if self._best is None:
            return Unsolvable(Proof.EXHAUSTED, NAME, *self._cost())
        if aim != Aim.MOVES:
            # Among the solutions with this number of pushes, find the one with the fewest moves.
            finer = self._search(open_list.PUSHES_MOVES)
            if finer.lurd is not None:
                self._best = verify(self._level, finer.lurd, by=NAME)
        nodes, seconds = self._cost()
        pushes, moves = outcome.pushes, outcome.moves
        return replace(
            self._best,
            proven=aim,
            nodes=nodes,
            cpu_seconds=seconds,
            lower_bound_pushes=pushes if aim == Aim.MOVES else self._best.pushes,
            lower_bound_moves=self._best.moves if aim == Aim.MOVES else moves,
        )

    def _cost(self) -> tuple[int, float]:
        return self._meter.nodes, self._meter.cpu_seconds

    def _search(self, kind: int) -> SearchEnd:
        """Search for a solution better than the best known one."""
        below = None if self._best is None else cost(self._best, kind)
        images = symmetries(self._board)
        return search(self._board, kind, self._meter, below=below, images=images, whole=True, name=NAME)
