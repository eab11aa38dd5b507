"""Lower bound of the pushes a state still needs: minimum-cost matching of boxes and goals.

The cost of a pair is the least number of pushes from box to goal with no other box on the board, from the side
on which the player is now. In the real game the player changes that side only by pushing this box, so the
bound never falls by more than one with a push (it is consistent), and a push changes only one row of the costs.

The bound is that of Rolling Stone (Junghanns, Schaeffer: Sokoban, Enhancing General Single-Agent Search Methods Using
Domain Knowledge, 2001), sharpened by the player's side. After a push one augmenting path is enough.

If moves are counted, a push also costs its gain in height (see `heights`).
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.floods import Blocks, blocks_for, edge_block, label_blocks
from solvers.sokoban.solving.floor.matching import Matching


class Costs(NamedTuple):
    """Pushes to every goal. *row* int32[4n]: the row of *pushes* int32[rows, goals] for a square and a side.

    *one_side* uint8[n+1]: 1 if all sides have the same row. *blocks* are those of the board without boxes. With
    *heights* int32[n+1] other than all 0, a push costs 0 to *dearest*: 1 plus the player's gain in height.
    *ends* int32[n+1]: the steps after all boxes are on goals, by the player's square; FAR if it must not end there.
    """

    row: Table
    pushes: Table
    one_side: Table
    blocks: Blocks
    heights: Table
    dearest: int
    ends: Table


def costs_to(board: Board, ends: Table, *, pull: bool, heights: Table | None = None) -> Costs:
    """Compute the pushes, or pulls, that take a lone box from every square to each of *ends* int32[k].

    With *heights* int32[n+1] (pushes only) the costs include them. Time and memory O(n k).
    """
    size = board.size
    blocks = blocks_for(size)
    blocked = np.zeros(size + 1, np.uint8)
    blocked[size] = 1
    label_blocks(size, board.neighbours, blocked, np.zeros(size + 1, np.uint64), blocks)
    row = np.full(4 * size, -1, np.int32)
    one_side = np.ones(size + 1, np.uint8)
    rows = _number_rows(board.neighbours, blocks, row, one_side)
    pushes = np.full((rows, len(ends)), FAR, np.int32)
    dearest = 1 if heights is None else 2
    heights = np.zeros(size + 1, np.int32) if heights is None else heights
    _fill_costs(board.neighbours, row, ends, heights, pushes, pull, *(np.zeros(4 * size + 4, np.int32) for _ in "qw"))
    return Costs(row, pushes, one_side, blocks, heights, dearest, np.zeros(size + 1, np.int32))


@kernel
def _number_rows(neighbours: Table, blocks: Blocks, row: Table, one_side: Table) -> int:
    size = neighbours.shape[0] - 1
    rows = 0
    for square in range(size):
        first = rows
        for side in range(4):
            there = neighbours[square, side]
            if there == size:
                continue
            for other in range(side):
                stand = neighbours[square, other]
                if stand != size and edge_block(blocks.found, blocks.block, square, stand) == edge_block(
                    blocks.found, blocks.block, square, there
                ):
                    row[4 * square + side] = row[4 * square + other]
                    break
            if row[4 * square + side] < 0:
                row[4 * square + side] = rows
                rows += 1
        one_side[square] = rows == first + 1
    return rows


@kernel
def _fill_costs(
    neighbours: Table, row: Table, ends: Table, heights: Table, pushes: Table, pull: bool, queue: Table, waits: Table  # noqa: FBT001
) -> None:  # fmt: skip
    """Search breadth-first from each end over (square, side), in reverse.

    If pushes have different costs, a row found at lower cost is queued again; *queue* is a ring buffer.
    """
    size = neighbours.shape[0] - 1
    room = queue.shape[0]
    for number in range(ends.shape[0]):
        count = 0
        for side in range(4):
            at = row[4 * ends[number] + side]
            if at >= 0 and pushes[at, number] == FAR:
                pushes[at, number] = 0
                waits[at] = 1
                queue[count] = 4 * ends[number] + side
                count += 1
        at = 0
        while at < count:
            square, side = queue[at % room] >> 2, queue[at % room] & 3
            at += 1
            own_row = row[4 * square + side]
            waits[own_row] = 0
            # For all sides with the same row: the player can walk from one to the other.
            for stand in range(4):
                if row[4 * square + stand] != own_row:
                    continue
                # The game's last step led here, the player walking forwards (a push) or backwards (a pull). After a
                # push, the box came from the player's square; after a pull, from the opposite side.
                before = neighbours[square, stand ^ 2] if pull else neighbours[square, stand]
                if before == size or (neighbours[before, stand] == size and not pull):
                    continue
                there = row[4 * before + stand]
                cost = pushes[own_row, number] + 1 + heights[before] - heights[neighbours[before, stand]]
                if cost < pushes[there, number]:
                    pushes[there, number] = cost
                    if waits[there] == 0:
                        waits[there] = 1
                        queue[count % room] = 4 * before + stand
                        count += 1


@inner
def row_at(neighbours: Table, costs: Costs, box: int, man: int) -> int:
    """Return the row of a box for a player on *man*, ignoring other boxes. Time O(1)."""
    row, blocks = costs.row, costs.blocks
    found, last, low, came = blocks.found, blocks.last, blocks.low, blocks.came
    chosen = np.int64(-1)
    if costs.one_side[box] == 0:
        number = found[man]
        for side in range(4):
            there = neighbours[box, side]
            is_child = found[there] != 0 and came[there] == side and neighbours[there, side ^ 2] == box
            if chosen < 0 and is_child and found[there] <= number <= last[there] and low[there] >= found[box]:
                chosen = np.int64(row[4 * box + side])
        if chosen < 0 and came[box] != 4:
            chosen = np.int64(row[4 * box + (came[box] ^ 2)])
    for side in range(4):
        if chosen < 0:
            chosen = np.int64(row[4 * box + side])
    return chosen  # type: ignore[return-value]


@inner
def fill_costs(board: Board, costs: Costs, boxes: Table, count: int, man: int, matching: Matching) -> None:
    """Write the costs of all boxes to `matching.costs`."""
    neighbours, pushes, into = board.neighbours, costs.pushes, matching.costs
    for at in range(count):
        row = row_at(neighbours, costs, np.int64(boxes[at]), man)
        for column in range(count):
            into[at, column] = pushes[row, column]


@inner
def sum_with(matching: Matching, count: int, costs: Costs, box: int, row: int, total: int) -> int:
    """Return the minimum cost if box *box* had the costs of *row*; *total* is the cost of the present matching.

    Does not change the matching: the box's column is freed, and the shortest augmenting path from the box to it
    is measured but not applied. Time O(boxes²).
    """
    slack, used, row_of, rows = matching.slack, matching.used, matching.row_of, matching.rows
    columns, old, new = matching.columns, matching.costs, costs.pushes[row]
    box_column = 1
    while row_of[box_column] != box + 1:
        box_column += 1
    least = np.int64(1 << 40)
    for column in range(1, count + 1):
        slack[column] = new[column - 1] - columns[column]
        used[column] = 0
        least = min(least, slack[column])
    rest = total - rows[box + 1] + least
    shift = -least
    best, length = 0, np.int64(0)
    while best != box_column:
        best = 0
        length = np.int64(1 << 40)
        for column in range(1, count + 1):
            if used[column] == 0 and slack[column] < length:
                length = slack[column]
                best = column
        if best != box_column:
            used[best] = 1
            other = row_of[best]
            base, old_costs = length - rows[other], old[other - 1]
            for column in range(1, count + 1):
                if used[column] == 0:
                    slack[column] = min(slack[column], base + old_costs[column - 1] - columns[column])
    return rest + length + shift  # type: ignore[no-any-return]
