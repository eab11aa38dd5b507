"""The picture behind push paths: biconnected blocks of the ground with one box lifted, and the cells that join them.

Round a box the player gets from one side to another without moving it exactly if both edges lie in one block (see
`paths`). The author of SokoPlayer drew such pictures by hand: sokoban.ws/blog posts 843 and 1000.
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
    """The blocks of the free cells that hang together with the box on the cell *box*, its own cell among them.

    >>> level = Level.parse("#######|#@$---#|#####.#|#######")
    >>> blocks_around(level, Position.start(level), 9)
    [(8, 9), (9, 10), (10, 11), (11, 12), (12, 19)]

    Each is sorted, and they are in the order of their cells; a cell in several is a cut cell.
    Raise ValueError where no box is. Time O(cells).
    """
    if box not in position.boxes:
        raise ValueError(f"no box on cell {box}")
    arena = level.arena
    field = bytearray(content in (FREE, CRATE) for content in arena.squares)
    for other in position.boxes:
        field[arena.square(other)] = other == box
    deltas = [arena.deltas[letter] for letter in "lurd"]
    found, block, *spare = (table(len(field)) for _ in range(6))
    kernel(kernels.label_blocks)(kernels.view(field), kernels.table_of(deltas), arena.square(box), found, block, *spare)
    blocks: dict[int, set[int]] = {}
    for square in (at for at, number in enumerate(found) if number):
        for beside in (square + delta for delta in deltas if found[square + delta]):
            later = max(square, beside, key=found.__getitem__)  # the edge belongs to the block of the one found later
            blocks.setdefault(block[later], set()).update((arena.cell(square), arena.cell(beside)))
    return sorted(tuple(sorted(cells)) for cells in blocks.values())


def cut_cells(blocks: list[Cells]) -> Cells:
    """The cells that lie in more than one block.

    >>> cut_cells([(8, 9), (9, 10)])
    (9,)
    """
    counts = Counter(chain.from_iterable(blocks))
    return tuple(sorted(cell for cell, count in counts.items() if count > 1))
