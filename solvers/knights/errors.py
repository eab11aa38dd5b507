"""What can be wrong with a question about knights, each with words for a person and values to translate them with."""

from typing import Any

from solvers.errors import PuzzleError, brief


class NoSquares(PuzzleError):
    """A board without a square: fewer than one row or column."""

    code = "no_squares"
    words = "A board has at least one row and one column, not {rows} rows and {columns} columns."


class BoardTooLarge(PuzzleError):
    """A board with more rows or columns than numbers are taken for."""

    code = "board_too_large"
    words = "A board has at most {limit:,} rows and columns, not {rows:,} rows and {columns:,} columns."


class NotASquare(PuzzleError):
    """Something else where a row and a column must stand."""

    code = "not_a_square"
    words = "A square is two whole numbers, its row and its column, not {shown}."

    def __init__(self, *, value: Any) -> None:
        super().__init__(shown=brief(value))


class OffBoard(PuzzleError):
    """A square that the board does not have."""

    code = "off_board"
    words = "Row {at_row}, column {at_column} (from 0) is not on a board of {rows} rows and {columns} columns."


class BadLeap(PuzzleError):
    """A leap that no piece makes: by negative numbers, or to its own square."""

    code = "bad_leap"
    words = "A leaper goes two numbers from 0 on that are not both 0, not {a} and {b}."


class TooManySquares(PuzzleError):
    """A board too large to search through."""

    code = "too_many_squares"
    words = "Leapers other than the knight are searched for, on at most {limit:,} squares; this board has {size:,}."
