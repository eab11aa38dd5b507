"""Arena: a level's squares in one flat row, prepared for replay."""

from dataclasses import dataclass

# Contents of an arena square; the player can step only on FREE (0).
FREE, BLOCKED, CRATE, OUTSIDE = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Arena:
    """Squares of a level in one flat row, inside a ring of OUTSIDE squares so that no step can leave it.

    *stride* squares make a row; *goals* is 1 on goal squares; *start* is the player's square; *deltas* maps letters to
    offsets; *boxes* counts the boxes, *home* those on goals. Tuples, because Python indexes them faster than bytes.
    """

    stride: int
    squares: tuple[int, ...]
    goals: tuple[int, ...]
    start: int
    deltas: dict[str, int]
    boxes: int
    home: int

    def square(self, cell: int) -> int:
        """Return the square of a level cell."""
        row, column = divmod(cell, self.stride - 2)
        return (row + 1) * self.stride + column + 1

    def cell(self, square: int) -> int:
        """Return the level cell of a square. Not valid for squares of the ring."""
        row, column = divmod(square, self.stride)
        return (row - 1) * (self.stride - 2) + column - 1
