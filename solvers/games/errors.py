"""Errors in questions about games, each with a message and values for translating it."""

from typing import Any

from solvers.errors import PuzzleError, shorten_value


class NoSuchGame(PuzzleError):
    """Raised for the name of an unknown game."""

    code = "no_such_game"
    template = "There is no game {shown}; the games are {names}."

    def __init__(self, *, value: Any, names: str) -> None:
        super().__init__(shown=shorten_value(value), names=names)


class NotAPosition(PuzzleError):
    """Raised for a value that is not a position of the game; *expected* describes a position."""

    code = "not_a_position"
    template = "A position of {game} is {expected}, not {shown}."

    def __init__(self, *, game: str, expected: str, value: Any) -> None:
        super().__init__(game=game, expected=expected, shown=shorten_value(value))


class NegativeNumber(PuzzleError):
    """Raised for a negative count."""

    code = "negative_number"
    template = "A position of {game} has no negative numbers, such as {number}."


class TooLargeNumber(PuzzleError):
    """Raised for a heap, row or board larger than is computed."""

    code = "too_large_number"
    template = "{game} is computed up to {limit:,}; this is {number:,}."


class TooManyParts(PuzzleError):
    """Raised for a position with too many parts."""

    code = "too_many_parts"
    template = "A position has at most {limit:,} parts, not {number:,}."


class TooManyPositions(PuzzleError):
    """Raised for a game with more positions or moves than a search may examine."""

    code = "too_many_positions"
    template = "This game is too large to be searched: it has more than {limit:,} positions, or too many moves."


class EndlessGame(PuzzleError):
    """Raised for a game in which a position can recur: it need not end, and has no Grundy values."""

    code = "endless_game"
    template = "Play can come back to {shown}: a game that need not end has no Grundy values."

    def __init__(self, *, value: Any) -> None:
        super().__init__(shown=shorten_value(value))


class IllegalMove(PuzzleError):
    """Raised for an impossible move of a match. `values`: step (from 1) and the move."""

    code = "illegal_move"
    template = "Move {step} is impossible: term {move.term} has no move to {move.parts}."


class BadCode(PuzzleError):
    """Raised for a text that is not the code of an octal game."""

    code = "bad_code"
    template = "The code of an octal game is 0. and 1 to {limit} digits from 0 to 7, not {shown}."

    def __init__(self, *, value: Any, limit: int) -> None:
        super().__init__(shown=shorten_value(value), limit=limit)


class BadSubtractions(PuzzleError):
    """Raised for numbers that are not the set of a subtraction game."""

    code = "bad_subtractions"
    template = (
        "A subtraction game has a list of 1 to {limit} numbers that may be taken, each from 1 to {most:,}, not {shown}."
    )

    def __init__(self, *, value: Any, limit: int, most: int) -> None:
        super().__init__(shown=shorten_value(value), limit=limit, most=most)
