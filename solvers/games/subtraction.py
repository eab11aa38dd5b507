"""Subtraction games: a move takes from a heap any number in a given set."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from solvers.games.errors import BadSubtractions, TooLargeNumber
from solvers.games.octal import Period
from solvers.games.protocol import Game
from solvers.games.search import mex

MOST_NUMBERS = 20
MOST_NUMBER = 1_000
MOST_VALUES = 100_000


@dataclass(frozen=True)
class Subtraction(Game[int]):
    """Take one of the *numbers*, in ascending order, from a heap.

    >>> Subtraction((1, 2, 3)).grundy(10**9 + 2)
    2

    Raise BadSubtractions.
    """

    numbers: tuple[int, ...]
    name: str = "subtraction"

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", read_numbers(self.numbers))

    def moves(self, position: int) -> Iterator[tuple[int, ...]]:
        return ((position - number,) for number in self.numbers if number <= position)

    def grundy(self, position: int) -> int:
        """Look up the value in the period, if known, or in the sequence. Raise TooLargeNumber."""
        sequence, found = _explore(self.numbers)
        if found and position >= found.start:
            position = found.start + (position - found.start) % found.length
        if position >= len(sequence):
            raise TooLargeNumber(game=self.name, limit=len(sequence) - 1, number=position)
        return sequence[position]


def read_numbers(numbers: Any) -> tuple[int, ...]:
    """Return the numbers that may be taken, in ascending order. Raise BadSubtractions."""
    is_list = isinstance(numbers, list | tuple) and 1 <= len(numbers) <= MOST_NUMBERS
    if not is_list or not all(type(number) is int and 1 <= number <= MOST_NUMBER for number in numbers):
        raise BadSubtractions(value=numbers, limit=MOST_NUMBERS, most=MOST_NUMBER)
    return tuple(sorted(set(numbers)))


def period(numbers: tuple[int, ...]) -> Period | None:
    """Search for the period of the values; return None if it is longer than the search.

    >>> period((1, 2, 3)), period((2, 5, 7))
    (Period(start=0, length=4), Period(start=0, length=22))

    A period always exists: a value depends only on as many previous values as the largest number, and is at most the
    count of numbers. When those previous values recur, everything repeats. Time O(values x numbers).
    """
    return _explore(read_numbers(numbers))[1]


@cache
def _explore(numbers: tuple[int, ...]) -> tuple[bytearray, Period | None]:
    """Return the values up to the proof of their period, or up to the limit, and the period."""
    sequence, largest = bytearray(), numbers[-1]
    while len(sequence) < MOST_VALUES:
        for heap in range(len(sequence), max(64, 2 * len(sequence), 2 * largest)):
            sequence.append(mex({sequence[heap - number] for number in numbers if number <= heap}))
        before = sequence.rfind(sequence[-largest:], 0, len(sequence) - 1)  # the values that all later ones depend on
        if before >= 0:
            return sequence, _from_the_start(sequence, len(sequence) - largest - before)
    return sequence, None


def _from_the_start(sequence: bytearray, length: int) -> Period:
    start = len(sequence) - length
    while start > 0 and sequence[start - 1] == sequence[start - 1 + length]:
        start -= 1
    return Period(start, length)
