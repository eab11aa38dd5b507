"""Errors in questions about knights, each with a message and values for translating it."""

from typing import Any

from solvers.errors import PuzzleError, shorten_value


class NoSquares(PuzzleError):
    """Raised for a board without squares: fewer than one row or column."""

    code = "no_squares"
    template = "A board has at least one row and one column, not {rows} rows and {columns} columns."


class BoardTooLarge(PuzzleError):
    """Raised for a board with more rows or columns than supported."""

    code = "board_too_large"
    template = "A board has at most {limit:,} rows and columns, not {rows:,} rows and {columns:,} columns."


class NotASquare(PuzzleError):
    """Raised for a value that is not a row and a column."""

    code = "not_a_square"
    template = "A square is two whole numbers, its row and its column, not {shown}."

    def __init__(self, *, value: Any) -> None:
        super().__init__(shown=shorten_value(value))


class OffBoard(PuzzleError):
    """Raised for a square outside the board."""

    code = "off_board"
    template = "Row {at_row}, column {at_column} (from 0) is not on a board of {rows} rows and {columns} columns."


class BadLeap(PuzzleError):
    """Raised for an impossible leap: by negative numbers, or to the same square."""

    code = "bad_leap"
    template = "A leaper goes two numbers from 0 on that are not both 0, not {a} and {b}."


class TooManySquares(PuzzleError):
    """Raised for a board too large to search."""

    code = "too_many_squares"
    template = "Leapers other than the knight are searched for, on at most {limit:,} squares; this board has {size:,}."
