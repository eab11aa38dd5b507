"""Shortest knight's path, square by square, in constant memory and without a search.

If the longer distance to the target is five squares or more, the move that covers two squares of it, and one square
of the other distance, is always the first of a shortest path. (Tests verify it from every square of all boards to
12 x 12.) If the other distance is 0, the move goes to a side with room, and the next one comes back.
For nearer targets, the next square is one whose `distance` is one less.
"""

from collections.abc import Iterator

from solvers.choices import require
from solvers.knights.board import Board, Square
from solvers.knights.counts import _distance

_FAR = 5
_LEAPS = [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)]


def path(board: Board, start: Square, target: Square) -> Iterator[Square] | None:
    """Return a shortest path from *start* to *target*, both included, or None if there is none.

    >>> list(path(Board(8, 8), (0, 0), (1, 1)))
    [(0, 0), (2, 1), (4, 2), (2, 3), (1, 1)]
    >>> path(Board(3, 3), (0, 0), (1, 1)) is None
    True

    Raise NotASquare or OffBoard for a value that is not a square of the board. Time O(length), memory O(1).
    """
    require(Board, board=board)
    start, target = board.square(start), board.square(target)
    if _distance(board, start, target) is None:
        return None
    return _walk(board, start, target)


def _walk(board: Board, square: Square, target: Square) -> Iterator[Square]:
    row, column = square
    yield square
    while True:
        down, across = target[0] - row, target[1] - column
        if abs(down) < _FAR and abs(across) < _FAR:
            break
        if abs(down) > abs(across):
            row += 2 if down > 0 else -2
            column += _step_towards(across, column, board.columns)
        else:
            row += _step_towards(down, row, board.rows)
            column += 2 if across > 0 else -2
        yield row, column
    square = row, column
    remaining = _distance(board, square, target)
    while remaining:
        remaining -= 1
        square = next(
            neighbour for neighbour in steps(board, square) if _distance(board, neighbour, target) == remaining
        )
        yield square


def _step_towards(rest: int, position: int, size: int) -> int:
    """Return a step of one square towards the target or, if none is needed, to a side with room."""
    if rest:
        return 1 if rest > 0 else -1
    return 1 if position + 1 < size else -1


def steps(board: Board, square: Square) -> Iterator[Square]:
    """Yield the squares that a knight can reach in one move."""
    row, column = square
    for down, across in _LEAPS:
        if 0 <= row + down < board.rows and 0 <= column + across < board.columns:
            yield row + down, column + across
