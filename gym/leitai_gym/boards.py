"""Boards as arrays of one size, as text and as pictures."""

from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from leitai_gym.puzzles import Puzzle
from solvers.sokoban.drawing.raster import raster
from solvers.sokoban.drawing.sprites import LIGHT, ground, things
from solvers.sokoban.level import BOX, GOAL, PLAYER, WALL

Pixels = NDArray[np.uint8]
Shape = tuple[int, int]

PLANES = {"walls": WALL, "goals": GOAL, "boxes": BOX, "player": PLAYER}
GOALS, BOXES, MAN = (list(PLANES).index(name) for name in ("goals", "boxes", "player"))


class TooLarge(ValueError):
    """A level does not fit into the shape of the observations."""


def shape_of(puzzles: Sequence[Puzzle], shape: Shape | None = None) -> Shape:
    """Return *shape*, or the smallest rows and columns that all levels fit into.

    Raise TooLarge if one does not fit, ValueError if *shape* is not two numbers.
    """
    if shape is not None:
        is_pair = isinstance(shape, Sequence) and len(shape) == 2 and all(isinstance(size, int) for size in shape)
        if not is_pair or min(shape) < 1:
            raise ValueError(f"shape must be the numbers of rows and columns, such as (10, 10), not {shape!r}.")
        shape = shape[0], shape[1]
    least = max(puzzle.level.height for puzzle in puzzles), max(puzzle.level.width for puzzle in puzzles)
    for puzzle in puzzles if shape else ():
        Frame(puzzle, shape or least)
    return shape or least


class Frame:
    """A level at the top left of an array of *shape* rows and columns; the rest is wall.

    A cell of the level has the number `row * columns + column` of the array.
    """

    def __init__(self, puzzle: Puzzle, shape: Shape) -> None:
        self.puzzle, self.level, self.shape = puzzle, puzzle.level, shape
        rows, columns = self.level.height, self.level.width
        if rows > shape[0] or columns > shape[1]:
            raise TooLarge(
                f"{puzzle.name} has {rows} rows and {columns} columns, too large for shape={shape}: "
                f"use shape=({max(rows, shape[0])}, {max(columns, shape[1])}) or larger."
            )
        cells = np.full(shape, WALL, np.uint8)
        cells[:rows, :columns] = np.frombuffer(self.level.cells, np.uint8).reshape(rows, columns)
        self.planes = np.stack([(cells & flag != 0).astype(np.uint8) for flag in PLANES.values()])

    def cell_here(self, cell: int) -> int:
        """Return the number in the array of a *cell* of the level."""
        row, column = divmod(cell, self.level.width)
        return row * self.shape[1] + column

    def cell_of_level(self, cell: int) -> int | None:
        """Return the number in the level of a *cell* of the array, or None if it is outside the level."""
        row, column = divmod(cell, self.shape[1])
        is_inside = row < self.level.height and column < self.level.width
        return row * self.level.width + column if is_inside else None

    def planes_with(self, boxes: Collection[int], player: int) -> Pixels:
        """Return the planes of PLANES with boxes and player on these cells of the level."""
        planes = self.planes.copy()
        planes[BOXES:] = 0
        flat = planes.reshape(len(PLANES), -1)
        flat[BOXES, [self.cell_here(box) for box in boxes]] = 1
        flat[MAN, self.cell_here(player)] = 1
        return planes

    def text_of(self, rows: str) -> str:
        """Return the XSB *rows* of a position, filled up with walls."""
        lines = [row.ljust(self.shape[1], "#") for row in rows.split("\n")]
        return "\n".join([*lines, *["#" * self.shape[1]] * (self.shape[0] - len(lines))])

    def picture(self, boxes: Collection[int], player: int, pixels: int, facing: str = "D") -> Pixels:
        """Draw a position on cells of *pixels* by *pixels*, as RGB; the player looks U, R, D or L."""
        image = np.tile(_tile((), pixels), (*self.shape, 1))
        width = self.level.width
        for row, column in product(range(self.level.height), range(width)):
            cell = row * width + column
            names = (*self._ground[cell], *things(self.level, cell, boxes, (player,), facing))
            top, left = row * pixels, column * pixels
            image[top : top + pixels, left : left + pixels] = _tile(names, pixels)
        return image

    @cached_property
    def _ground(self) -> list[tuple[str, ...]]:
        return [ground(self.level, cell) for cell in range(len(self.level.cells))]


@lru_cache(maxsize=1024)
def _tile(names: tuple[str, ...], pixels: int) -> Pixels:
    return np.asarray(raster(names, pixels, LIGHT))
