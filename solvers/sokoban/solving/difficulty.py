"""Estimate how hard a level is for a person: four bands, from measurements of the solver.

The difficulty for people has not been measured; a program sees only its own effort. The estimate counts:

- length: pushes, and box changes (how often the player switches to another box);
- detours: pushes beyond the lower bound, which move a box away from its goal;
- choice: the states found in a short search, its branching factor, and the share of dead ends.

Counts are combined by their logarithms, so doubling a count adds the same at any size. The limits of the bands are the
quartiles of the real levels they were measured on; docs/explanation/solver.md discusses the estimate's accuracy.
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
# Where the second, third and fourth band begin: the quartiles of Microban I and XSokoban together, 245 levels.
_LIMITS = (13.5, 17.2, 22.5)


class Band(IntEnum):
    """Difficulty bands, from beginner to expert levels."""

    EASY = 1
    MEDIUM = 2
    HARD = 3
    EXPERT = 4

    @classmethod
    def named(cls, name: str) -> "Band":
        """Return the band with this name in lower case. Raise ValueError."""
        if name not in (names := [band.name.lower() for band in cls]):
            raise ValueError(f"{name!r} is no difficulty; allowed: {', '.join(names)}")
        return cls[name.upper()]


@dataclass(frozen=True)
class Difficulty:
    """Measurements of a level and its best known solution, and the resulting estimate."""

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
    """Estimate how hard *level* is, from its best known solution *lurd*.

    >>> difficulty(Level.parse("######|#@$-.#|######"), "RR").band
    <Band.EASY: 1>

    Raise Hopeless if boxes or goals are out of the player's reach. Runs a search of 20,000 states.
    """
    counts = measure(lurd)
    meter = Meter(Budget(nodes=_PROBE))
    found = search(make_board(level), open_list.PUSHES, meter, states=_PROBE)
    bound = min(counts.pushes, found.first_bound)
    return Difficulty(counts.pushes, counts.box_changes, bound, meter.nodes, found.branches, found.dead_ends)
