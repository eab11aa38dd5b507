"""Wythoff's game: two heaps; take any number from one, or the same number from both. (W. A. Wythoff, 1907.)"""

from collections.abc import Iterator
from math import isqrt

from solvers.games.errors import TooLargeNumber
from solvers.games.protocol import Game

Heaps = tuple[int, int]

MOST = 500


class Wythoff(Game[Heaps]):
    """Two heaps. The player to move loses on the pairs of `cold`; other Grundy values have no closed form."""

    name = "wythoff"

    def moves(self, position: Heaps) -> Iterator[tuple[Heaps, ...]]:
        one, other = position
        yield from (((left, other),) for left in range(one))
        yield from (((one, left),) for left in range(other))
        yield from (((one - taken, other - taken),) for taken in range(1, min(one, other) + 1))

    def canonical(self, position: Heaps) -> Heaps:
        return min(position), max(position)

    def grundy(self, position: Heaps) -> int:
        """Look up the value in a table of all smaller pairs, computed on first use. Raise TooLargeNumber."""
        if max(position) > MOST:
            raise TooLargeNumber(game=self.name, limit=MOST, number=max(position))
        return _table(max(position))[min(position)][max(position)]


def cold(number: int) -> Heaps:
    """Return losing pair number *number*, from 0, for the player to move: (⌊nφ⌋, ⌊nφ²⌋), exact in integers.

    >>> [cold(number) for number in range(6)]
    [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13)]
    """
    less = (number + isqrt(5 * number * number)) // 2
    return less, less + number


def is_cold(one: int, other: int) -> bool:
    """Return whether the player to move loses. Time O(1) for numbers that a processor adds in one step.

    >>> is_cold(*cold(10**18)), is_cold(3, 4)
    (True, False)
    """
    return cold(abs(one - other)) == (min(one, other), max(one, other))


_rows: list[list[int]] = []


def _table(most: int) -> list[list[int]]:
    """Return the values of all pairs up to *most*: the mex of row, column and diagonal. Time O(most^2).

    The values used in a line are a bit set, so the least missing value is its lowest zero bit.
    """
    size = 1
    while size <= most:
        size *= 2
    if len(_rows) < size:
        rows, columns, diagonals = [0] * size, [0] * size, [0] * (2 * size)
        _rows[:] = [[0] * size for _ in range(size)]
        for one in range(size):
            for other in range(size):
                used = rows[one] | columns[other] | diagonals[one - other]
                bit = ~used & (used + 1)
                _rows[one][other] = bit.bit_length() - 1
                rows[one] |= bit
                columns[other] |= bit
                diagonals[one - other] |= bit
    return _rows


WYTHOFF = Wythoff()
