"""Boxes that can never move again, and goals that can never be reached round them.

All tests here are sound: what they call dead has no solution. `work.blocked` holds the state (see `macros.Work`).
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, kernel
from solvers.sokoban.solving.macros import Work, stamp
from solvers.sokoban.solving.matching import can_match


class Walls(NamedTuple):
    """Scratch of the tests: *frozen* uint8[n+1]; *possible* uint8[k, k]; the rest int32[k+1]."""

    frozen: Table
    possible: Table
    way: Table
    row_of: Table
    seen: Table
    stack: Table


def walls_for(board: Board) -> Walls:
    """Make the scratch."""
    count = max(len(board.boxes), 1)
    arrays = [np.zeros(count + 1, np.int32) for _ in range(4)]
    return Walls._make([np.zeros(board.size + 1, np.uint8), np.zeros((count, count), np.uint8), *arrays])


@kernel
def freeze(board: Board, boxes: Table, count: int, frozen: Table) -> int:
    """Mark in *frozen* the boxes that nothing can ever move; return -1 if one of them is off goal, else how many.

    A greatest fixpoint: a box is free if along one axis neither neighbour is a wall or a frozen box, and not both are
    dead squares; start with all frozen, and free until nothing changes. Time O(boxes²) at worst.
    """
    neighbours, dead, size = board.neighbours, board.dead, board.size
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
            if frozen[box] == 0:
                continue
            for axis in range(2):
                near, far = neighbours[box, axis], neighbours[box, axis + 2]
                if frozen[near] == 0 and frozen[far] == 0 and not (dead[near] and dead[far]):
                    frozen[box] = 0
                    left -= 1
                    changed = True
                    break
    for at in range(count):
        if frozen[boxes[at]] and board.goal[boxes[at]] == 0:
            return -1
    return left


@kernel
def unmatched(board: Board, work: Work, boxes: Table, count: int, walls: Walls) -> bool:
    """Whether, with the boxes in `walls.frozen` as walls, the others cannot share out the free goals.

    Each box is taken alone, the player being on whichever side he likes. Time O(goals * floor squares).
    """
    neighbours, frozen = board.neighbours, walls.frozen
    columns = 0
    rows = 0
    for goal in board.goals:
        if frozen[goal]:
            continue
        seen = stamp(work, 0)
        work.queue[0] = goal
        work.mark[goal] = seen
        waiting = 1
        at = 0
        while at < waiting:
            here = work.queue[at]
            at += 1
            for side in range(4):
                there = neighbours[here, side]
                if frozen[there] or work.mark[there] == seen:
                    continue
                if frozen[neighbours[there, side]] == 0:
                    work.mark[there] = seen
                    work.queue[waiting] = there
                    waiting += 1
        rows = 0
        for number in range(count):
            if frozen[boxes[number]] == 0:
                walls.possible[rows, columns] = 1 if work.mark[boxes[number]] == seen else 0
                rows += 1
        columns += 1
    return rows > columns or not can_match(
        walls.possible, rows, columns, walls.way, walls.row_of, walls.seen, walls.stack
    )
