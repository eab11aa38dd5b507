"""Greedy paths, which are not always shortest, and how much longer they are.

Each move goes to the square nearest to the target in a straight line, until the target is at most two rows and two
columns away; the rest is a shortest path.
"""

from collections import Counter
from collections.abc import Iterator

from solvers.knights.board import Board, Square
from solvers.knights.counts import _distance
from solvers.knights.paths import path, steps

_NEAR = 2


def greedy_path(board: Board, start: Square, target: Square) -> Iterator[Square] | None:
    """Return a greedy path, both ends included, or None if there is no path. Time O(length), memory O(1).

    >>> list(greedy_path(Board(8, 8), (0, 0), (0, 5)))
    [(0, 0), (1, 2), (0, 4), (2, 5), (1, 7), (0, 5)]

    Raise NotASquare or OffBoard for a value that is not a square of the board.
    """
    start, target = board.square(start), board.square(target)
    if _distance(board, start, target) is None:
        return None
    return _walk(board, start, target)


def _walk(board: Board, square: Square, target: Square) -> Iterator[Square]:
    while max(abs(square[0] - target[0]), abs(square[1] - target[1])) > _NEAR:
        yield square
        square = min(steps(board, square), key=lambda after: (after[0] - target[0]) ** 2 + (after[1] - target[1]) ** 2)
    yield from path(board, square, target) or ()


def excesses(board: Board, start: Square) -> Counter[int]:
    """Count, over all squares reachable from *start*, by how many moves the greedy path exceeds the shortest.

    >>> excesses(Board(8, 8), (0, 0))
    Counter({0: 44, 2: 20})

    Time O(squares x length).
    """
    counts: Counter[int] = Counter()
    for row in range(board.rows):
        for column in range(board.columns):
            walk, least = greedy_path(board, start, (row, column)), _distance(board, start, (row, column))
            if walk is not None and least is not None:
                counts[sum(1 for _ in walk) - 1 - least] += 1
    return counts
