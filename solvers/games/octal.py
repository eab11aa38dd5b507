"""Octal games: take some from a row, which may then be split. Kayles and Dawson's chess are examples.

The code 0.d₁d₂d₃… defines for each number k what is allowed when k are taken: d_k is the sum of 1, if nothing of the
row may be left; 2, if one row may be left; 4, if two rows may be left. (R. K. Guy and C. A. B. Smith, The G-values of
various games, 1956.)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from solvers.games.errors import BadCode, TooLargeNumber
from solvers.games.protocol import Game
from solvers.games.search import mex

MOST_DIGITS = 12
MOST_VALUES = 2_000  # for a code whose period is not found before; time grows quadratically
MOST_ROW = 100_000
WITHOUT_PERIOD = 200  # for rows up to this length, computing the sequence is faster than searching for its period


class Period(NamedTuple):
    """Values repeat every *length* from *start* on, which is 0 or after the last exception."""

    start: int
    length: int


@dataclass(frozen=True)
class Octal(Game[int]):
    """An octal game with this code: a position is the length of a row.

    >>> KAYLES = Octal("0.77")
    >>> [KAYLES.grundy(row) for row in range(12)]
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
    >>> period("0.77")
    Period(start=71, length=12)

    Raise BadCode.
    """

    code: str
    name: str = "octal"

    def __post_init__(self) -> None:
        read_code(self.code)

    def moves(self, position: int) -> Iterator[tuple[int, ...]]:
        """Yield moves; of two that leave the same two rows, only the one with the shorter row first."""
        for taken, digit in enumerate(read_code(self.code), 1):
            left = position - taken
            if left < 0:
                break
            if left == 0 and digit & 1:
                yield ()
            if left > 0 and digit & 2:
                yield (left,)
            if digit & 4:
                yield from ((part, left - part) for part in range(1, left // 2 + 1))

    def grundy(self, position: int) -> int:
        """Look up the value in the period, if known, or in the sequence. Raise TooLargeNumber."""
        found = period(self.code) if position >= WITHOUT_PERIOD else None
        limit = MOST_ROW if found else MOST_VALUES
        if position > limit:
            raise TooLargeNumber(game=f"{self.name} {self.code}", limit=limit, number=position)
        if found and position >= found.start:
            position = found.start + (position - found.start) % found.length
        return values(self.code, position + 1)[position]


def read_code(code: Any) -> tuple[int, ...]:
    """Return the digits after the point. Raise BadCode.

    >>> read_code("0.137")
    (1, 3, 7)
    """
    if not isinstance(code, str) or not re.fullmatch(rf"0?\.[0-7]{{1,{MOST_DIGITS}}}", code):
        raise BadCode(value=code, limit=MOST_DIGITS)
    return tuple(map(int, code.partition(".")[2]))


@cache
def _sequence(code: str) -> list[int]:
    """Return the cached list of values, which grows in place."""
    read_code(code)
    return [0]


def values(code: str, number: int) -> list[int]:
    """Return the Grundy values of rows 0 to *number* - 1, at least. Time O(number^2) for each digit.

    >>> values("0.137", 10)[:10]
    [0, 1, 1, 2, 0, 3, 1, 1, 0, 3]
    """
    found, digits = _sequence(code), read_code(code)
    for row in range(len(found), number):
        reached = set()
        for taken, digit in enumerate(digits, 1):
            left = row - taken
            if left == 0 and digit & 1:
                reached.add(0)
            if left > 0 and digit & 2:
                reached.add(found[left])
            if left > 1 and digit & 4:
                reached.update([found[part] ^ found[left - part] for part in range(1, left // 2 + 1)])
        found.append(mex(reached))
    return found


@cache
def period(code: str, most: int = MOST_VALUES) -> Period | None:
    """Search for the period among the first *most* values; return None if they do not prove one.

    >>> period("0.137")
    Period(start=52, length=34)

    Guy and Smith: if values repeat with length p from s on until row 2s + 2p + t, where t is the number of digits, they
    repeat forever, because a longer row's moves have the values of those of the row p shorter. (Here s is the first row
    of the period, so slightly more than necessary is checked.)
    """
    digits, size = len(read_code(code)), 64
    while size <= most:
        found = _period(values(code, size), digits)
        if found or size == most:
            return found
        size = min(2 * size, most)
    return None


def _period(sequence: list[int], digits: int) -> Period | None:
    for length in range(1, len(sequence) // 2):
        start = len(sequence) - length
        while start > 0 and sequence[start - 1] == sequence[start - 1 + length]:
            start -= 1
        if 2 * start + 2 * length + digits < len(sequence):
            return Period(start, length)
    return None


KAYLES = Octal("0.77", "kayles")
DAWSONS_CHESS = Octal("0.137", "dawsons_chess")
