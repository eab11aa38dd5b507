"""Biconnected blocks of the floor with one box lifted, and the cut cells that join them, to illustrate push paths.

The player can walk from one side of a box to another without moving it if and only if the edges from the box's cell to
both sides lie in one block (see `paths`). SokoPlayer's author drew such pictures: sokoban.ws/blog posts 843 and 1000.
"""

from collections import Counter
from itertools import chain

from solvers.sokoban import kernels
from solvers.sokoban.arena import CRATE, FREE
from solvers.sokoban.kernels import kernel, table
from solvers.sokoban.level import Level
from solvers.sokoban.position import Position

Cells = tuple[int, ...]


def blocks_around(level: Level, position: Position, box: int) -> list[Cells]:
    """Return the biconnected blocks of the free cells connected to the box on cell *box*, including that cell.

    >>> level = Level.parse("#######|#@$---#|#####.#|#######")
    >>> blocks_around(level, Position.start(level), 9)
    [(8, 9), (9, 10), (10, 11), (11, 12), (12, 19)]

    Each block is sorted, and the blocks are sorted too; a cell in several blocks is a cut cell.
    Raise ValueError if there is no box on the cell. Time O(cells).
    """
    if box not in position.boxes:
        raise ValueError(f"no box on cell {box}")
    arena = level.arena
    field = bytearray(content in (FREE, CRATE) for content in arena.squares)
    for other in position.boxes:
        field[arena.square(other)] = other == box
    deltas = [arena.deltas[letter] for letter in "lurd"]
    found, block, *stack = (table(len(field)) for _ in range(6))
    labels = kernels.Blocks(kernels.view(field), kernels.table_of(deltas), found, block)
    kernel(kernels.label_blocks)(labels, arena.square(box), *stack)
    blocks: dict[int, set[int]] = {}
    for square in (at for at, number in enumerate(found) if number):
        for beside in (square + delta for delta in deltas if found[square + delta]):
            later = max(square, beside, key=found.__getitem__)  # the edge is in the block of the endpoint found later
            blocks.setdefault(block[later], set()).update((arena.cell(square), arena.cell(beside)))
    return sorted(tuple(sorted(cells)) for cells in blocks.values())


def cut_cells(blocks: list[Cells]) -> Cells:
    """Return the cut cells: the cells in more than one block.

    >>> cut_cells([(8, 9), (9, 10)])
    (9,)
    """
    counts = Counter(chain.from_iterable(blocks))
    return tuple(sorted(cell for cell, count in counts.items() if count > 1))
