"""Errors in Klotski texts, in addition to those of `solvers.errors`."""

from solvers.errors import PuzzleError


class WrongRows(PuzzleError):
    """Raised if a text is not five rows of four cells."""

    code = "wrong_rows"
    template = "A Klotski board has 5 rows of 4 cells; this text has rows of {found} cells."


class BrokenPiece(PuzzleError):
    """Raised if cells do not form a whole piece."""

    code = "broken_piece"
    template = "The cells of {character!r} are not whole pieces: a piece is 1x1, 1x2, 2x1 or 2x2."


class WrongPieces(PuzzleError):
    """Raised if a board does not have exactly the pieces of Klotski."""

    code = "wrong_pieces"
    template = (
        "A board has 1 block of 2x2, 5 dominoes, 4 soldiers and 2 empty cells; "
        "this one has {blocks}, {dominoes}, {soldiers} and {empty}."
    )


class UnreadableMove(PuzzleError):
    """Raised if a word is not a move."""

    code = "unreadable_move"
    template = "{word!r} is not a move: write the square of a piece and the way it goes, as in B4d, C5ur or B4-B5."


class WithoutNames(PuzzleError):
    """Raised for a strict question about boards whose pieces have no names, or different ones."""

    code = "without_names"
    template = "To tell pieces apart, both boards must use a different character for every piece."


class UnknownName(PuzzleError):
    """Raised if a layout is requested by an unknown name."""

    code = "unknown_name"
    template = "No layout here is called {name!r}."


class IllegalMove(PuzzleError):
    """Raised for an impossible move of a game. `values`: step (from 1), the move and the reason."""

    code = "illegal_move"
    template = "Move {step} ({move}) is impossible: {reason}."
