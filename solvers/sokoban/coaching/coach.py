"""Find where a solution loses moves or pushes, by comparing it with what the optimizer finds near it."""

from collections.abc import Callable

from solvers.sokoban.coaching.stretches import NAME, Advice, advise, without_loops
from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Aim, proof_aim, verify
from solvers.sokoban.solving.board import Board, make_board
from solvers.sokoban.solving.budget import Budget, Report
from solvers.sokoban.solving.floor.pushes import in_moves, pushes_of
from solvers.sokoban.solving.optimizing import optimize


def coach(
    level: Level,
    lurd: str,
    aim: Aim | str = Aim.MOVES,
    budget: Budget = Budget(cpu_seconds=1.0),  # noqa: B008 - frozen
    *,
    report: Report | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Advice:
    """Return where the solution *lurd* of *level* loses moves, then pushes, or pushes, then moves, as *aim* counts.

    >>> coach(Level.parse("######|#@$-.#|#----#|######"), "duduRR").stretches
    (Stretch(start=0, stop=4, first_push=0, last_push=0, moves=4, pushes=0),)

    Loops and walks that are too long are found within any budget, which limits the search for better pushes. All
    advice is replayed. Raise WrongSolution if *lurd* is not a solution, BadLevel if no replay can judge the level.
    """
    aim = proof_aim(aim)
    solution = verify(level, lurd, by=NAME)
    straight = straighten(level, make_board(level), solution.lurd)
    found = optimize(level, straight, aim, budget, report=report, cancelled=cancelled)
    return advise(level, solution, found, aim)


def straighten(level: Level, board: Board, lurd: str) -> str:
    """Return the solution *lurd* of *level*, whose board is *board*, without loops and with the shortest walks."""
    lurd = without_loops(level, lurd)
    return in_moves(board, pushes_of(board, lurd)) or lurd
