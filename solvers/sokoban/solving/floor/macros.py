"""Macro moves: one box is moved to any square it can reach while the others stay, in one linear pass per box.

Each move has the key of the player's final zone and the number of regions after it, both read from the
blocks of the floor with the box lifted, so no move needs a flood fill. Blocks for the paths of one box are the
method of SokoPlayer's author (sokoban.ws/blog, posts 843 and 1000); see also `solvers.sokoban.paths`.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.floods import Blocks, blocks_for, edge_block, flood, key_without, label_blocks
from solvers.sokoban.solving.floor.tables import stamp


class Moves(NamedTuple):
    """The moves of one state: squares and regions int32[m], zone keys uint64[m], and the index of the box, int32[m]."""

    source: Table
    target: Table
    stand: Table
    zone: Table
    regions: Table
    box: Table


class Work(NamedTuple):
    """Scratch shared by the kernels of one search; functions that change `blocked` document it.

    *blocked* uint8[n+1] holds the current state; *mark* int32[n+2] and *visited* int32[4n+5] (by `4 * square + side`)
    are for stamps (see `tables.stamp`); *queue*, *states* are int32.
    """

    blocked: Table
    mark: Table
    visited: Table
    queue: Table
    states: Table
    blocks: Blocks
    moves: Moves


def work_for(board: Board, boxes: int) -> Work:
    """Allocate the scratch of a search on *board* with *boxes* boxes."""
    size = board.size
    most = 4 * size * max(boxes, 1) + 8
    blocked = np.zeros(size + 1, np.uint8)
    blocked[size] = 1
    squares = [np.zeros(most, np.int32) for _ in range(3)]
    moves = Moves._make([*squares, np.zeros(most, np.uint64), np.zeros(most, np.int32), np.zeros(most, np.int32)])
    return Work(
        blocked,
        np.zeros(size + 2, np.int32),
        np.zeros(4 * size + 5, np.int32),
        np.zeros(4 * size + 8, np.int32),
        np.zeros(4 * size + 8, np.int32),
        blocks_for(size),
        moves,
    )


@kernel
def put_boxes(size: int, blocked: Table, boxes: Table, count: int) -> None:
    """Set *blocked* to exactly these boxes and the sentinel."""
    for square in range(size):
        blocked[square] = 0
    blocked[size] = 1
    for at in range(count):
        blocked[boxes[at]] = 1


@inner
def macro_moves(board: Board, work: Work, boxes: Table, count: int, stand: int, pull: bool) -> int:  # noqa: FBT001
    """Write all macro moves of the state in `work.blocked` to `work.moves`; return their number.

    *stand* is a square of the player's zone, which is marked with the last stamp afterwards. With *pull* the boxes are
    pulled. Time O(floor squares * boxes).
    """
    neighbours, size, blocked, zone_keys = board.neighbours, board.size, work.blocked, board.zone_keys
    mark, visited, states, blocks, moves = work.mark, work.visited, work.states, work.blocks, work.moves
    found, block_of = blocks.found, blocks.block
    dead = board.unborn if pull else board.dead
    zone = stamp(mark)
    flood(neighbours, blocked, stand, mark, zone, work.queue)
    number = 0
    for at in range(count):
        box = boxes[at]
        movable = False
        for side in range(4):
            there = neighbours[box, side]
            if blocked[there] or mark[there] != zone:
                continue
            target = there if pull else neighbours[box, side ^ 2]
            free = neighbours[there, side] if pull else target
            if dead[target] == 0 and blocked[free] == 0:
                movable = True
        if not movable:
            continue
        blocked[box] = 0
        regions = label_blocks(size, neighbours, blocked, zone_keys, blocks)
        seen = stamp(visited)
        waiting = 0
        for side in range(4):
            there = neighbours[box, side]
            if blocked[there] == 0 and mark[there] == zone:
                visited[4 * box + side] = seen
                states[waiting] = 4 * box + side
                waiting += 1
        done = 0
        while done < waiting:
            square, side = states[done] >> 2, states[done] & 3
            done += 1
            if pull:
                target = neighbours[square, side]
                stand_there = neighbours[target, side]
                arrival = side
                if blocked[stand_there]:
                    continue
            else:
                target = neighbours[square, side ^ 2]
                stand_there = square
                arrival = side
            if blocked[target] or dead[target] or visited[4 * target + arrival] == seen:
                continue
            block = edge_block(found, block_of, target, stand_there)
            for other in range(4):
                there = neighbours[target, other]
                if blocked[there] == 0 and edge_block(found, block_of, target, there) == block:
                    visited[4 * target + other] = seen
                    states[waiting] = 4 * target + other
                    waiting += 1
            if target != box:
                moves.source[number] = box
                moves.target[number] = target
                moves.stand[number] = stand_there
                moves.zone[number] = key_without(neighbours, zone_keys, blocks, target, stand_there)
                moves.regions[number] = regions - 1 + blocks.pieces[target]
                moves.box[number] = at
                number += 1
        blocked[box] = 1
    return number
