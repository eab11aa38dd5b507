"""Depth-first tree of a level's floor, with its back edges, low numbers, cut squares and biconnected blocks.

J. Hopcroft and R. Tarjan (1973). Texts differ in the number that is propagated: the order in which the search found a
square, or its depth in the tree (both in sokoban.ws/blog, posts 843 and 1000). A back edge leads to an ancestor, and
among the ancestors of a square both orders agree, so both variants find the same cut squares and blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solvers.choices import Choice
from solvers.errors import TooMuchToDraw
from solvers.sokoban.level import Level
from solvers.sokoban.position import Position

MOST_SQUARES = 400


class Low(Choice):
    """The value that low numbers propagate: the order of discovery, or the depth in the tree."""

    NUMBER = "number"
    DEPTH = "depth"


@dataclass(frozen=True)
class FloorTree:
    """A depth-first tree. Squares are counted in the order of discovery; *cells* are their cells on the level.

    *parents* holds -1 for the root; *back_edges* lead from a square to an ancestor that is not its parent.
    """

    cells: tuple[int, ...]
    parents: tuple[int, ...]
    back_edges: tuple[tuple[int, int], ...]

    @cached_property
    def depths(self) -> tuple[int, ...]:
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        return tuple(depths)

    def values(self, by: Low) -> Sequence[int]:
        """Return the number of each square, from 0, or its depth."""
        return self.depths if by == Low.DEPTH else range(len(self.cells))

    def lows(self, by: Low = Low.NUMBER) -> list[int]:
        """Return the low number of each square: the least value that its subtree reaches by one back edge."""
        lows = list(self.values(by))
        for square, ancestor in self.back_edges:
            lows[square] = min(lows[square], self.values(by)[ancestor])
        for square in range(len(lows) - 1, 0, -1):
            lows[self.parents[square]] = min(lows[self.parents[square]], lows[square])
        return lows

    def cut_cells(self, by: Low = Low.NUMBER) -> tuple[int, ...]:
        """Return the cells whose removal disconnects the floor, sorted.

        These are the parents of a child whose subtree reaches no higher than the parent; the root, if it has two
        children.
        """
        lows, values = self.lows(by), self.values(by)
        cuts = {
            self.parents[at] for at in range(1, len(lows)) if lows[at] >= values[self.parents[at]] and self.parents[at]
        }
        if self.parents.count(0) > 1:
            cuts.add(0)
        return tuple(sorted(self.cells[square] for square in cuts))

    def blocks(self, by: Low = Low.NUMBER) -> list[tuple[int, ...]]:
        """Return the biconnected blocks, each as sorted cells, sorted; a cut cell is in several."""
        lows, values = self.lows(by), self.values(by)
        members = [{cell} for cell in self.cells]
        blocks = []
        for at in range(len(lows) - 1, 0, -1):
            parent = self.parents[at]
            if lows[at] >= values[parent]:
                blocks.append(tuple(sorted(members[at] | {self.cells[parent]})))
            else:
                members[parent] |= members[at]
        return sorted(blocks)


def grow_floor_tree(level: Level, *, box: int | None = None) -> FloorTree:
    """Search the floor depth first, in the order left, up, right, down, without recursion.

    The search begins at the player and all boxes are lifted. With *box*, the cell of a box, it begins there, and the
    other boxes are walls, as for push paths.

    >>> level = Level.parse("#######|#@$---#|#####.#|#######")
    >>> tree = grow_floor_tree(level)
    >>> tree.cells, tree.cut_cells()
    ((8, 9, 10, 11, 12, 19), (9, 10, 11, 12))

    Raise TooMuchToDraw beyond MOST_SQUARES, ValueError if there is no box on the cell. Time O(cells).
    """
    start = Position.start(level)
    if box is not None and box not in start.boxes:
        raise ValueError(f"no box on cell {box}")
    walls = {other for other in start.boxes if other != box} if box is not None else set()
    free = level.reach - walls
    root = start.player if box is None else box
    numbers, parents, back_edges = {root: 0}, [-1], []
    trail = [(root, iter(beside(level, root)))]
    while trail:
        cell, further = trail[-1]
        following = next((other for other in further if other in free), None)
        if following is None:
            trail.pop()
        elif following not in numbers:
            numbers[following] = len(parents)
            parents.append(numbers[cell])
            trail.append((following, iter(beside(level, following))))
            if len(parents) > MOST_SQUARES:
                raise TooMuchToDraw(limit=MOST_SQUARES)
        elif numbers[following] < numbers[cell] and numbers[following] != parents[numbers[cell]]:
            back_edges.append((numbers[cell], numbers[following]))
    return FloorTree(tuple(numbers), tuple(parents), tuple(back_edges))


def beside(level: Level, cell: int) -> list[int]:
    """Return the cells left of, above, right of and below *cell* that are on the level."""
    row, column = divmod(cell, level.width)
    places = ((row, column - 1), (row - 1, column), (row, column + 1), (row + 1, column))
    return [y * level.width + x for y, x in places if 0 <= y < level.height and 0 <= x < level.width]
