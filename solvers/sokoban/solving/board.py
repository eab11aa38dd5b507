"""Board shared by all searches: numbered squares in the player's reach, and their static properties.

Squares are numbered from 0 row by row. The sentinel n, one more than the last, represents everything else (walls, the
outside, unreachable floor) and is always blocked. Directions are 0 left, 1 up, 2 right, 3 down: `direction ^ 2` is
the opposite one.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.level import GOAL, Level
from solvers.sokoban.solving.compiling import Table, kernel
from solvers.sokoban.solving.floor.floods import Blocks, blocks_for, edge_block, label_blocks
from solvers.sokoban.solving.floor.tables import fill

FAR = 1_000_000  # the push distance if there is no path
MOST_PAIRS = 2_000  # most floor squares for which all-pairs distances are stored: 16 MB


class Board(NamedTuple):
    """A level as the searches see it; n is the number of floor squares in reach.

    *cells* int32[n]: the level's cell of each square. *neighbours* int32[n+1, 4]: n if none. *goal* uint8[n+1]: 1 on
    goals. *goals*, *boxes* int32[boxes]: squares, ascending. *player*: the player's square. *dead* uint8[n+1]: 1 on
    dead squares, from which even a lone box reaches no goal (and at n). *unborn* uint8[n+1]: 1 where no box can get
    from the start, the dead squares of a search by pulls. *box_keys*, *zone_keys* uint64[n+1]: Zobrist keys.
    *distances* int32[n, n]: fewest pushes of a lone box between two squares, from the best start side, FAR if
    impossible; int32[0, 0] for boards of more than MOST_PAIRS squares, to avoid n² memory.
    """

    size: int
    player: int
    cells: Table
    neighbours: Table
    goal: Table
    goals: Table
    boxes: Table
    dead: Table
    unborn: Table
    box_keys: Table
    zone_keys: Table
    distances: Table


class Hopeless(Exception):
    """Raised if a level is trivially unsolvable: a box or goal out of reach, or unequal numbers of them."""


def make_board(level: Level) -> Board:
    """Number the squares of *level* and compute the static tables of all searches.

    Boxes on goals outside the player's reach are omitted with their goals: they cannot move and need not. Raise
    Hopeless if a box off its goal or an empty goal is out of reach, or boxes and goals differ in number; ValueError
    unless there is exactly one player. Time and memory O(cells), O(n²) up to MOST_PAIRS squares.
    """
    player = level.player
    cells = np.array(sorted(level.reach), np.int32)
    size = len(cells)
    number = {int(cell): square for square, cell in enumerate(cells)}
    if {box for box in level.boxes if box not in number} != {goal for goal in level.goals if goal not in number}:
        raise Hopeless("a box or a goal lies where the player never comes")
    if len(level.boxes) != len(level.goals):
        raise Hopeless("boxes and goals differ in number")
    neighbours = _neighbours(level, number)
    goal = np.array([bool(level.cells[cell] & GOAL) for cell in cells] + [False], np.uint8)
    boxes = np.array([number[box] for box in level.boxes if box in number], np.int32)
    goals = np.flatnonzero(goal).astype(np.int32)
    sides = _side_classes(size, neighbours)
    keys = np.random.default_rng(12345).integers(1, 2**64, (2, size + 1), np.uint64)  # the same in every process
    distances = np.full((size, size) if size <= MOST_PAIRS else (0, 0), FAR, np.int32)
    lone_distances(neighbours, sides, distances, *(np.zeros(4 * size + 4, np.int32) for _ in range(2)))
    return Board(
        size=size,
        player=number[player],
        cells=cells,
        neighbours=neighbours,
        goal=goal,
        goals=goals,
        boxes=boxes,
        dead=_out_of_reach(size, neighbours, sides, goals, pull=True),
        unborn=_out_of_reach(size, neighbours, sides, boxes, pull=False),
        box_keys=keys[0],
        zone_keys=keys[1],
        distances=distances,
    )


def _neighbours(level: Level, number: dict[int, int]) -> Table:
    size, width = len(number), level.width
    neighbours = np.full((size + 1, 4), size, np.int32)
    for cell, square in number.items():
        column = cell % width
        if column:
            neighbours[square, 0] = number.get(cell - 1, size)
        neighbours[square, 1] = number.get(cell - width, size)
        if column < width - 1:
            neighbours[square, 2] = number.get(cell + 1, size)
        neighbours[square, 3] = number.get(cell + width, size)
    return neighbours


def _side_classes(size: int, neighbours: Table) -> Table:
    """Return int8[n+1, 4]: for each side of each square, the lowest side connected to it around a lone box.

    -1 if the side is not floor.
    """
    blocks = blocks_for(size)
    blocked = np.zeros(size + 1, np.uint8)
    blocked[size] = 1
    label_blocks(size, neighbours, blocked, np.zeros(size + 1, np.uint64), blocks)
    sides = np.full((size + 1, 4), -1, np.int8)
    _class_sides(size, neighbours, blocks, sides)
    return sides


@kernel
def _class_sides(size: int, neighbours: Table, blocks: Blocks, sides: Table) -> None:
    for square in range(size):
        for side in range(4):
            there = neighbours[square, side]
            if there == size:
                continue
            sides[square, side] = side
            for other in range(side):
                stand = neighbours[square, other]
                if stand != size and edge_block(blocks.found, blocks.block, square, stand) == edge_block(
                    blocks.found, blocks.block, square, there
                ):
                    sides[square, side] = sides[square, other]
                    break


@kernel
def lone_distances(neighbours: Table, sides: Table, distances: Table, queue: Table, steps: Table) -> None:
    """Fill *distances* int32[n, n], initially FAR, with the fewest pushes of a lone box between all pairs of squares.

    Breadth-first over (square, side class); the player may start on any side. Time O(n²). *queue* and *steps*
    int32[4n+4] are scratch.
    """
    size = distances.shape[0]
    for start in range(size):
        fill(steps, -1)
        count = 0
        for side in range(4):
            if sides[start, side] == side:
                steps[4 * start + side] = 0
                queue[count] = 4 * start + side
                count += 1
        distances[start, start] = 0
        at = 0
        while at < count:
            state = queue[at]
            at += 1
            square, side_class = state >> 2, state & 3
            for side in range(4):
                target = neighbours[square, side ^ 2]
                if sides[square, side] != side_class or target == size:
                    continue
                after = 4 * target + sides[target, side]
                if steps[after] < 0:
                    steps[after] = steps[state] + 1
                    queue[count] = after
                    count += 1
                    distances[start, target] = min(distances[start, target], steps[after])


def _out_of_reach(size: int, neighbours: Table, sides: Table, starts: Table, *, pull: bool) -> Table:
    """Return uint8[n+1]: 1 where no lone box from *starts* can be pushed (pulled) to."""
    out = np.ones(size + 1, np.uint8)
    seen, queue = np.zeros(4 * size + 4, np.uint8), np.zeros(4 * size + 4, np.int32)
    _spread(neighbours, sides, starts, out, seen, queue, pull)
    return out


@kernel
def _spread(
    neighbours: Table,
    sides: Table,
    starts: Table,
    out: Table,
    seen: Table,
    queue: Table,
    pull: bool,  # noqa: FBT001
) -> None:
    size = neighbours.shape[0] - 1
    count = 0
    for at in range(starts.shape[0]):
        start = starts[at]
        out[start] = 0
        for side in range(4):
            if sides[start, side] == side:
                seen[4 * start + side] = 1
                queue[count] = 4 * start + side
                count += 1
    at = 0
    while at < count:
        square, side_class = queue[at] >> 2, queue[at] & 3
        at += 1
        for side in range(4):
            if sides[square, side] != side_class:
                continue
            # Pushed, the box moves away from the player's side; pulled, it moves there and the player steps back.
            target = neighbours[square, side] if pull else neighbours[square, side ^ 2]
            if target == size or (pull and neighbours[target, side] == size):
                continue
            out[target] = 0
            after = 4 * target + sides[target, side]
            if seen[after] == 0:
                seen[after] = 1
                queue[count] = after
                count += 1
