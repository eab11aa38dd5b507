"""Boards of any size, and squares on them."""

from dataclasses import dataclass
from typing import Any

from solvers.errors import NotWhole
from solvers.knights.errors import BoardTooLarge, NoSquares, NotASquare, OffBoard

# A row and a column, from 0.
Square = tuple[int, int]

LIMIT = 10**18


@dataclass(frozen=True, slots=True)
class Board:
    """A board of *rows* x *columns* squares, 1 to 10^18 each way.

    >>> Board(8, 8).square([0, 7])
    (0, 7)
    >>> Board(0, 8)
    Traceback (most recent call last):
    solvers.knights.errors.NoSquares: A board has at least one row and one column, not 0 rows and 8 columns.

    Raise NotWhole, NoSquares or BoardTooLarge.
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        for name, value in (("rows", self.rows), ("columns", self.columns)):
            if not is_whole(value):
                raise NotWhole(name=name, value=value)
        if min(self.rows, self.columns) < 1:
            raise NoSquares(rows=self.rows, columns=self.columns)
        if max(self.rows, self.columns) > LIMIT:
            raise BoardTooLarge(rows=self.rows, columns=self.columns, limit=LIMIT)

    def square(self, value: Any) -> Square:
        """Validate a square: a list or tuple of a row and a column, from 0. Raise NotASquare or OffBoard."""
        if not isinstance(value, list | tuple) or len(value) != 2 or not all(map(is_whole, value)):
            raise NotASquare(value=value)
        row, column = value
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise OffBoard(at_row=row, at_column=column, rows=self.rows, columns=self.columns)
        return row, column


def is_whole(value: Any) -> bool:
    """Return whether *value* is a whole number; `True` is not, although Python's bool is an int."""
    return isinstance(value, int) and not isinstance(value, bool)
