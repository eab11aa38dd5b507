"""Chomp: bite a square out of a bar of chocolate, with everything beyond it. The corner square is poisoned.

The poisoned square may not be taken: a player with no other square left has lost. (Gale, A curious Nim-type game, 1974;
Schuh, Spel van delers, 1952.)

Strategy stealing: on every rectangle except 1 x 1 the first player wins. Let the first player bite off the corner
opposite the poisoned one. If that does not win, the opponent has a winning answer; but any answer takes that corner
too, so the first player could have begun with it. This proves that a winning bite exists, but not which: no rule is
known, and `winning_bites` searches.
"""

from collections.abc import Iterator
from typing import NamedTuple

from solvers.games.play import Player
from solvers.games.protocol import Game, Term

Bar = tuple[int, ...]


class Chomp(Game[Bar]):
    """A bar: the lengths of its rows, starting at the poisoned corner, none longer than the one before."""

    name = "chomp"

    def moves(self, position: Bar) -> Iterator[tuple[Bar, ...]]:
        for row in range(len(position)):
            for column in range(position[row]):
                if row or column:
                    yield (bite(position, row, column),)

    def canonical(self, position: Bar) -> Bar:
        """Return one representative of a bar and its mirror image, rows for columns."""
        return max(position, _mirror(position))

    def count(self, position: Bar) -> int:
        """Return the number of bars within this one, which equals the number of lattice paths. Time O(squares)."""
        width = position[0]
        ways = [1] * (width + 1)  # indexed by the maximum length, that of the row above
        for length in reversed(position):
            total, sums = 0, []
            for left in range(length + 1):
                total += ways[left]
                sums.append(total)
            ways = sums + [total] * (width - length)
        return ways[width] - 1  # the empty bar is not a position


def bite(bar: Bar, row: int, column: int) -> Bar:
    """Return the bar left after a bite at a square.

    >>> bite((4, 4, 4), 1, 2)
    (4, 2, 2)
    """
    left = [*bar[:row], *(min(length, column) for length in bar[row:])]
    return tuple(length for length in left if length)


class Bite(NamedTuple):
    """A square, counted from 0 at the poisoned corner, and the number of squares that a bite there takes."""

    row: int
    column: int
    squares: int


def winning_bites(bar: Bar, player: Player | None = None) -> list[Bite]:
    """Return all winning bites, fewest squares first.

    >>> winning_bites((4, 4, 4))
    [Bite(row=1, column=2, squares=4)]

    Time O(bars within x squares). Raise TooManyPositions.
    """
    player = player or Player()
    bites = []
    for row in range(len(bar)):
        for column in range(bar[row]):
            left = bite(bar, row, column)
            if (row or column) and not player.wins([Term(CHOMP, left)]):
                bites.append(Bite(row, column, sum(bar) - sum(left)))
    return sorted(bites, key=lambda one: (one.squares, one))


def _mirror(bar: Bar) -> Bar:
    return tuple(sum(length > column for length in bar) for column in range(bar[0]))


CHOMP = Chomp()
