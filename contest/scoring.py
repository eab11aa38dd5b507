"""Points and champions of a round: pure functions of its two rankings (rules 9 and 10).

A ranking here is a list of players' numbers, best first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

# Rule 9.1 in half points (rule 9.3: no floating-point sums): 20, 19 ... 1 by moves; 19.5, 18.5 ... 0.5 by pushes.
MOVE_HALF_POINTS = tuple(range(40, 0, -2))
PUSH_HALF_POINTS = tuple(range(39, 0, -2))


@dataclass(frozen=True)
class Total:
    """What a player has scored in a round, in half points."""

    player: int
    by_moves: int
    by_pushes: int

    @property
    def half_points(self) -> int:
        return self.by_moves + self.by_pushes


@dataclass(frozen=True)
class Champions:
    """Rule 10: the first by moves, the first by pushes, and the second champion where both are one player."""

    moves: int | None = None
    pushes: int | None = None
    second: int | None = None


def totals(by_moves: Sequence[int], by_pushes: Sequence[int]) -> list[Total]:
    """Rule 9.2: everybody's sum of both rankings' points, highest first, then more move points (rule 11.7)."""
    from_moves = dict(zip(by_moves, MOVE_HALF_POINTS, strict=False))
    from_pushes = dict(zip(by_pushes, PUSH_HALF_POINTS, strict=False))
    players = dict.fromkeys([*from_moves, *from_pushes])
    scored = [Total(player, from_moves.get(player, 0), from_pushes.get(player, 0)) for player in players]
    return sorted(scored, key=lambda total: (-total.half_points, -total.by_moves))


def champions(by_moves: Sequence[int], by_pushes: Sequence[int]) -> Champions:
    """Rules 10.1 to 10.4: both firsts; a double winner's other seat goes to number 2 by moves."""
    if not by_moves:
        return Champions()
    first_by_moves, first_by_pushes = by_moves[0], by_pushes[0]
    second = by_moves[1] if first_by_moves == first_by_pushes and len(by_moves) > 1 else None
    return Champions(first_by_moves, first_by_pushes, second)
