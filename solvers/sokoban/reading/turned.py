"""Find solutions of a rotated or mirrored board and transform them back (contest rule 6.10)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solvers.sokoban.level import Level
from solvers.sokoban.moves import LETTERS, Moves
from solvers.sokoban.replay import Replay, replay

# Indexed by symmetry (see Level.transform): the letters that replace l u r d.
_BACK = ("lurd", "dlur", "rdlu", "urdl", "ruld", "drul", "ldru", "uldr")
_TABLES = tuple(str.maketrans(LETTERS, row + row.upper()) for row in _BACK)
SYMMETRIES = range(1, len(_BACK))
# Steps played for one text in all attempts. A wrong symmetry usually ends at the first wall; the limit guards against
# texts made to cost time. Transforming this many letters takes as long as one step.
BUDGET = 2_000_000
_LETTERS_A_STEP = 20


@dataclass(frozen=True)
class TurnedSolution:
    """A solution of level number *level* under *symmetry*; *replay* is the replay of the moves transformed back."""

    level: int
    symmetry: int
    replay: Replay


def turned_back(steps: str, symmetry: int) -> str:
    """Transform steps that solve a level under *symmetry* into steps that solve the level itself.

    >>> turned_back("rR", 1)
    'uU'
    """
    return steps.translate(_TABLES[symmetry])


def turned_solution(levels: Sequence[Level], texts: Iterable[Moves], budget: int = BUDGET) -> TurnedSolution | None:
    """Find the first of *levels*, then of the symmetries 1 to 7, that one of *texts* solves, within *budget* steps.

    >>> turned_solution([Level.parse("#####|#@$.#|#####")], [Moves.parse("U")])
    TurnedSolution(level=0, symmetry=3, replay=Replay('solved', moves=1, pushes=1, cut=0, lurd='R'))

    Time O(budget + 7 x levels x texts x cells).
    """
    for number, level in enumerate(levels):
        for moves in texts:
            for symmetry in SYMMETRIES:
                if len(moves) > budget:
                    return None
                steps = turned_back(moves.steps, symmetry)
                outcome = replay(level, Moves(steps, steps))
                if outcome.is_solved:
                    return TurnedSolution(number, symmetry, outcome)
                budget -= outcome.moves + len(moves) // _LETTERS_A_STEP
    return None
