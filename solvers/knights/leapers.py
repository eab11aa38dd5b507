"""Leapers other than the knight, by search: camels (1, 3), zebras (2, 3), giraffes (1, 4) and all others."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from solvers.errors import NotWhole
from solvers.knights.board import Board, Square, is_whole
from solvers.knights.errors import BadLeap, TooManySquares

MOST_SQUARES = 1_000_000


@dataclass(frozen=True, slots=True)
class Leaper:
    """A piece that moves *a* squares in one direction and *b* in the other: `Leaper(1, 2)` is the knight.

    >>> camel = Leaper(1, 3)
    >>> camel.distance(Board(8, 8), (0, 0), (7, 7))
    5
    >>> camel.distance(Board(8, 8), (0, 0), (0, 1)) is None
    True

    Raise NotWhole, or BadLeap for negative numbers and for (0, 0).
    """

    a: int
    b: int

    def __post_init__(self) -> None:
        for name, value in (("a", self.a), ("b", self.b)):
            if not is_whole(value):
                raise NotWhole(name=name, value=value)
        if min(self.a, self.b) < 0 or self.a == self.b == 0:
            raise BadLeap(a=self.a, b=self.b)

    def distance(self, board: Board, start: Square, target: Square) -> int | None:
        """Return the length of a shortest path, or None if there is none: like `solvers.knights.distance`, by search.

        Raise TooManySquares above a million squares, NotASquare or OffBoard. Time and memory O(squares).
        """
        start, target = board.square(start), board.square(target)
        counts = self._counts(board, target, start)
        count = counts[start[0] * board.columns + start[1]]
        return count if count >= 0 else None

    def path(self, board: Board, start: Square, target: Square) -> Iterator[Square] | None:
        """Return a shortest path, both ends included, or None if there is none. Errors and cost as for `distance`."""
        start, target = board.square(start), board.square(target)
        counts = self._counts(board, target, start)
        if counts[start[0] * board.columns + start[1]] < 0:
            return None
        return self._walk(board, start, counts)

    def steps(self, board: Board, square: Square) -> Iterator[Square]:
        """Yield the squares that the piece can reach in one move."""
        row, column = square
        for down, across in self._leaps():
            if 0 <= row + down < board.rows and 0 <= column + across < board.columns:
                yield row + down, column + across

    def _leaps(self) -> list[tuple[int, int]]:
        a, b = self.a, self.b
        return sorted({(x * down, y * across) for x, y in ((a, b), (b, a)) for down in (1, -1) for across in (1, -1)})

    def _counts(self, board: Board, origin: Square, target: Square) -> "array[int]":
        """Return the squares' distances from *origin*, row by row, until *target* has one; -1 if not reached."""
        size = board.rows * board.columns
        if size > MOST_SQUARES:
            raise TooManySquares(size=size, limit=MOST_SQUARES)
        counts = array("i", [-1]) * size
        counts[origin[0] * board.columns + origin[1]] = 0
        frontier, moves = [origin], 0
        target_index = target[0] * board.columns + target[1]
        while frontier and counts[target_index] < 0:
            moves += 1
            next_frontier = []
            for square in frontier:
                for row, column in self.steps(board, square):
                    index = row * board.columns + column
                    if counts[index] < 0:
                        counts[index] = moves
                        next_frontier.append((row, column))
            frontier = next_frontier
        return counts

    def _walk(self, board: Board, square: Square, counts: "array[int]") -> Iterator[Square]:
        yield square
        for remaining in range(counts[square[0] * board.columns + square[1]] - 1, -1, -1):
            square = next(
                neighbour
                for neighbour in self.steps(board, square)
                if counts[neighbour[0] * board.columns + neighbour[1]] == remaining
            )
            yield square
