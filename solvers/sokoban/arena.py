"""A level made ready to be walked: its squares in one row."""

from dataclasses import dataclass

# What stands on a square of an arena; zero is what a step may enter.
FREE, BLOCKED, CRATE, OUTSIDE = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Arena:
    """A level as the replay walks it: squares in one row, with a ring of OUTSIDE so that no step leaves it.

    *stride* squares make a row; *goals* is 1 where a goal is; *start* is the player's square; *deltas* says how far
    each letter steps; *home* of the *boxes* stand on goals. Tuples, because Python indexes them faster than bytes.
    """

    stride: int
    squares: tuple[int, ...]
    goals: tuple[int, ...]
    start: int
    deltas: dict[str, int]
    boxes: int
    home: int

    def square(self, cell: int) -> int:
        """The square of a cell of the level."""
        row, column = divmod(cell, self.stride - 2)
        return (row + 1) * self.stride + column + 1

    def cell(self, square: int) -> int:
        """The cell of the level that a square stands for; not for squares of the ring."""
        row, column = divmod(square, self.stride)
        return (row - 1) * (self.stride - 2) + column - 1
