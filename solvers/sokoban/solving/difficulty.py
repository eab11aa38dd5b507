"""How hard a level is likely to be for a person: four bands, from what the solver saw.

Nobody has measured how hard levels are for people; a program sees only what it takes itself. What is counted:

- how long the way is: pushes, and how often another box is taken up (box changes);
- how far it leads astray: the pushes beyond the lower bound, each of which takes a box away from its goal;
- how much there is to choose: the states met in a short search, its branching, and the part of them that led nowhere.

Numbers are joined by their logarithms, so that twice as much counts the same wherever one begins. The limits of the
bands are the quarters of the real levels they were measured on; docs/solvers.md says what the estimate is worth.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import log2

from solvers.sokoban.level import Level
from solvers.sokoban.metrics import measure
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.proving import open_list
from solvers.sokoban.solving.proving.best_first import search

_PROBE = 20_000  # states of the short search: a tenth of a second
# Where the second, third and fourth band begin: the quarters of Microban I and XSokoban together, 245 levels.
_LIMITS = (13.5, 17.2, 22.5)


class Band(IntEnum):
    """From levels for beginners to those for experts."""

    EASY = 1
    MEDIUM = 2
    HARD = 3
    EXPERT = 4


@dataclass(frozen=True)
class Difficulty:
    """What was counted on a level and its best solution known, and the estimate made of it."""

    pushes: int
    box_changes: int
    lower_bound: int
    states: int
    branches: float
    dead_ends: float

    @property
    def score(self) -> float:
        """The estimate: from 3 to 29 on the levels it was measured on."""
        way = log2(1 + self.pushes) + log2(1 + self.box_changes)
        astray = log2(1 + self.pushes - self.lower_bound)
        choice = log2(1 + self.states) / 4 + log2(1 + self.branches) + 2 * self.dead_ends
        return way + astray + choice

    @property
    def band(self) -> Band:
        return Band(1 + sum(self.score >= limit for limit in _LIMITS))


def difficulty(level: Level, lurd: str) -> Difficulty:
    """Estimate how hard *level* is, from the best solution known.

    >>> difficulty(Level.parse("######|#@$-.#|######"), "RR").band
    <Band.EASY: 1>

    Raise Hopeless for a level whose boxes or goals the player cannot reach. It takes a search of 20,000 states.
    """
    counts = measure(lurd)
    meter = Meter(Budget(nodes=_PROBE))
    found = search(make_board(level), open_list.PUSHES, meter, states=_PROBE)
    bound = min(counts.pushes, found.first_bound)
    return Difficulty(counts.pushes, counts.box_changes, bound, meter.nodes, found.branches, found.dead_ends)
