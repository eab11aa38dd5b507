"""Questions about paths as JSON objects, and their answers: the format of the command line and of other programs.

    {"rows": 8, "columns": 8, "from": [0, 0], "to": [7, 7]}

Squares are [row, column], both from 0. The answer is {"moves": n}, or {"moves": null} if there is no path. If the
path is requested, the answer also has "path": all squares from the first to the last, or null.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from solvers.commandline import read_field
from solvers.knights.board import Board, Square
from solvers.knights.counts import distance
from solvers.knights.paths import path


class Piece(Protocol):
    """A piece that can count and walk shortest paths: a `Leaper`, or `KNIGHT`."""

    def distance(self, board: Board, start: Square, target: Square) -> int | None:
        """Return the number of moves, or None if there is no path."""

    def path(self, board: Board, start: Square, target: Square) -> Iterator[Square] | None:
        """Return a shortest path, or None if there is none."""


class _Knight:
    """The knight as a `Piece`, by arithmetic."""

    distance = staticmethod(distance)
    path = staticmethod(path)


KNIGHT: Piece = _Knight()


def answer(task: dict[str, Any], piece: Piece = KNIGHT, *, with_path: bool = False) -> dict[str, Any]:
    """Answer one question. The path is an iterator, so that millions of moves need no memory.

    >>> answer({"rows": 8, "columns": 8, "from": [0, 0], "to": [7, 7]})
    {'moves': 6}

    Raise NoField, NotWhole, or an error of `solvers.knights.errors`.
    """
    board = Board(read_field(task, "rows"), read_field(task, "columns"))
    start, target = board.square(read_field(task, "from")), board.square(read_field(task, "to"))
    result: dict[str, Any] = {"moves": piece.distance(board, start, target)}
    if with_path:
        result["path"] = piece.path(board, start, target)
    return result
