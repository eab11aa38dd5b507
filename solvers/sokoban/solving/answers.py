"""Answers of the solver: solved, with replayed moves; proved unsolvable; or unknown."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from solvers.choices import Choice
from solvers.sokoban.level import Level
from solvers.sokoban.moves import MAX_STEPS, Moves, show_steps
from solvers.sokoban.replay import replay
from solvers.sokoban.solving.budget import Limit


class Aim(Choice):
    """Objective of a search: any solution, the fewest pushes (then moves), or the fewest moves (then pushes)."""

    ANY = "any"
    PUSHES = "pushes"
    MOVES = "moves"


def proof_aim(aim: Aim | str) -> Aim:
    """Return the count that a proof for *aim* minimises: pushes if any solution will do.

    >>> proof_aim("any")
    <Aim.PUSHES: 'pushes'>
    """
    return Aim.PUSHES if aim == Aim.ANY else Aim(aim)


class Proof(StrEnum):
    """Reasons why a level is unsolvable."""

    OUT_OF_REACH = "out_of_reach"  # a box off its goal, or an empty goal, outside the player's reach
    EXHAUSTED = "exhausted"  # every reachable state was searched, or pruned by a sound test


@dataclass(frozen=True, repr=False)
class Solved:
    """A solution as `replay` plays it; *proven* is the count proved minimal, or None."""

    lurd: str
    moves: int
    pushes: int
    proven: Aim | None = None
    by: str = ""
    nodes: int = 0
    cpu_seconds: float = 0.0
    lower_bound_pushes: int = 0
    lower_bound_moves: int = 0

    def __repr__(self) -> str:
        proven = f", proven={self.proven.value!r}" if self.proven else ""
        return f"Solved({show_steps(self.lurd)!r}, moves={self.moves}, pushes={self.pushes}{proven})"


@dataclass(frozen=True)
class Unsolvable:
    """Proof that no moves solve the level."""

    proof: Proof
    by: str = ""
    nodes: int = 0
    cpu_seconds: float = 0.0


@dataclass(frozen=True)
class Unknown:
    """A limit was reached first. The bounds hold for every solution; *best* is the best solution found so far."""

    limit: Limit
    lower_bound_pushes: int = 0
    lower_bound_moves: int = 0
    best: Solved | None = None
    nodes: int = 0
    cpu_seconds: float = 0.0


Answer: TypeAlias = Solved | Unsolvable | Unknown


class WrongSolution(AssertionError):
    """Raised if a search returns moves that do not solve the level: a bug of the search, never shown as a solution."""


def verify(
    level: Level, lurd: str, *, proven: Aim | None = None, by: str = "", nodes: int = 0, cpu_seconds: float = 0.0
) -> Solved:
    """Replay *lurd* and return it as an answer. Raise WrongSolution unless it solves *level*.

    >>> verify(Level.parse("#####|#@$.#|#####"), "r")
    Solved('R', moves=1, pushes=1)
    """
    played = replay(level, Moves.parse(lurd, run_length=False, limit=max(MAX_STEPS, len(lurd))))
    if not played.is_solved:
        raise WrongSolution(f"{by}: {played.verdict} at step {played.step}")
    return Solved(played.lurd, played.moves, played.pushes, proven, by, nodes, cpu_seconds)
