"""Frozen boxes, and goals that become unreachable because of them.

All tests here are sound: a state they call dead has no solution. `work.blocked` holds the state (see `macros.Work`).
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.floor.matching import can_match
from solvers.sokoban.solving.floor.tables import stamp


class Walls(NamedTuple):
    """Scratch of the tests: *frozen* uint8[n+1]; *possible* uint8[k, k]; the rest int32[k+1]."""

    frozen: Table
    possible: Table
    way: Table
    row_of: Table
    seen: Table
    stack: Table


def walls_for(board: Board) -> Walls:
    """Allocate the scratch."""
    count = max(len(board.boxes), 1)
    arrays = [np.zeros(count + 1, np.int32) for _ in range(4)]
    return Walls._make([np.zeros(board.size + 1, np.uint8), np.zeros((count, count), np.uint8), *arrays])


@inner
def is_free(neighbours: Table, dead: Table, walls: Table, box: int) -> bool:
    """Return whether a box can be pushed along an axis if everything in *walls*, including the sentinel, is fixed."""
    for axis in range(2):
        one, other = neighbours[box, axis], neighbours[box, axis + 2]
        if walls[one] == 0 and walls[other] == 0 and not (dead[one] and dead[other]):
            return True
    return False


@inner
def freezes(board: Board, blocked: Table, moved: int, cluster: Table, frozen: Table) -> bool:
    """Return whether the box just pushed to *moved* is part of a frozen set with a box off its goal.

    *blocked* uint8[n+1] has all boxes. An axis of a box is blocked by a wall or a frozen box on either side, or by dead
    squares on both; in a frozen set both axes of every box are blocked. From all boxes connected with *moved*
    (*cluster*, with *frozen* uint8[n+1] all 0 before and after), boxes with a free axis are removed until none has one.
    The test is sound: the first box of a frozen set to be pushed would end on a dead square. Worst case O(boxes²),
    O(1) if *moved* has a free axis even with all boxes as walls.
    """
    return not is_free(board.neighbours, board.dead, blocked, moved) and _is_in_frozen_set(
        board, blocked, moved, cluster, frozen
    )


@inner
def _is_in_frozen_set(board: Board, blocked: Table, moved: int, cluster: Table, frozen: Table) -> bool:
    neighbours, dead, goal, size = board.neighbours, board.dead, board.goal, board.size
    count = 1
    cluster[0] = moved
    frozen[moved] = 1
    at = 0
    while at < count:
        for direction in range(4):
            there = neighbours[cluster[at], direction]
            if there != size and blocked[there] and frozen[there] == 0:
                frozen[there] = 1
                cluster[count] = there
                count += 1
        at += 1
    frozen[size] = 1
    changed = True
    while changed and frozen[moved]:
        changed = False
        for at in range(count):
            box = cluster[at]
            if frozen[box] and is_free(neighbours, dead, frozen, box):
                frozen[box] = 0
                changed = True
    lost = False
    for at in range(count):
        box = cluster[at]
        if frozen[moved] and frozen[box] and goal[box] == 0:
            lost = True
    for at in range(count):
        frozen[cluster[at]] = 0
    frozen[size] = 0
    return lost


@inner
def freeze(neighbours: Table, dead: Table, goal: Table, boxes: Table, count: int, frozen: Table) -> int:
    """Mark in *frozen* the boxes that can never move; return -1 if one of them is off goal, else their number.

    A greatest fixpoint: a box is free if along one axis neither neighbour is a wall or a frozen box, and not both are
    dead squares. All boxes start frozen and are freed until nothing changes. Worst case O(boxes²).
    """
    size = neighbours.shape[0] - 1
    for square in range(size):
        frozen[square] = 0
    frozen[size] = 1
    for at in range(count):
        frozen[boxes[at]] = 1
    left = count
    changed = True
    while changed:
        changed = False
        for at in range(count):
            box = boxes[at]
            if frozen[box] and is_free(neighbours, dead, frozen, box):
                frozen[box] = 0
                left -= 1
                changed = True
    for at in range(count):
        if frozen[boxes[at]] and goal[boxes[at]] == 0:
            return -1
    return left


@inner
def has_unmatched(
    neighbours: Table, goals: Table, mark: Table, queue: Table, boxes: Table, count: int, walls: Walls
) -> bool:  # fmt: skip
    """Return whether, with the boxes in `walls.frozen` as walls, the others have no perfect matching to the free goals.

    Each box is considered alone, with the player on any side. Time O(goals * floor squares).
    """
    frozen = walls.frozen
    columns, rows = np.int64(0), np.int64(0)
    for place in range(goals.shape[0]):
        goal = goals[place]
        if frozen[goal]:
            continue
        seen = stamp(mark)
        queue[0] = goal
        mark[goal] = seen
        waiting = 1
        at = 0
        while at < waiting:
            here = queue[at]
            at += 1
            for side in range(4):
                there = neighbours[here, side]
                if frozen[there] or mark[there] == seen:
                    continue
                if frozen[neighbours[there, side]] == 0:
                    mark[there] = seen
                    queue[waiting] = there
                    waiting += 1
        rows = np.int64(0)
        for number in range(count):
            if frozen[boxes[number]] == 0:
                walls.possible[rows, columns] = 1 if mark[boxes[number]] == seen else 0
                rows += 1
        columns += 1
    return rows > columns or not can_match(  # type: ignore[return-value]
        walls.possible, rows, columns, walls.way, walls.row_of, walls.seen, walls.stack
    )
