"""The box positions near a solution: those that differ from one of its positions in a few boxes, moved a little.

Vicinity search was invented by S. Gouezel for the optimizer of YASS (B. Damgaard); JSoko (M. Meger) has it too: a
shortest way is looked for among these positions only.
"""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel

# A fence is a hash table of box keys, uint64, 0 where there is none; this one keeps nobody out.
NO_FENCE: Table = np.zeros(1, np.uint64)
MOST_BOXES = 3


def near_squares(board: Board, most: int) -> Table:
    """int32[n+1, most]: for each square those next to it by walking, itself first, no dead ones; -1 behind the last."""
    near = np.full((board.size + 1, most), -1, np.int32)
    _fill_near(board, near, np.zeros(board.size + 1, np.int32), np.zeros(board.size + 1, np.int32))
    return near


@kernel
def _fill_near(board: Board, near: Table, mark: Table, queue: Table) -> None:
    for square in range(board.size):
        mark[square] = square + 1
        queue[0] = square
        near[square, 0] = square
        count = 1
        held = 1
        at = 0
        while at < count and held < near.shape[1]:
            here = queue[at]
            at += 1
            for direction in range(4):
                there = board.neighbours[here, direction]
                if there == board.size or mark[there] == square + 1:
                    continue
                mark[there] = square + 1
                queue[count] = there
                count += 1
                if board.dead[there] == 0 and held < near.shape[1]:
                    near[square, held] = there
                    held += 1


def make_fence(board: Board, positions: Table, boxes: int, squares: int, most: int) -> Table | None:
    """The fence round *positions*, int32[k, boxes]: up to *boxes* moved to one of their *squares* nearest squares.

    None where that would be more than *most* positions. Time O(positions).
    """
    count = positions.shape[1]
    ways = 1.0
    for number in range(min(boxes, count)):
        ways *= (count - number) * squares / (number + 1)
    size = 1 << max(int(2 * min(ways * len(positions), most)).bit_length(), 8)
    fence = np.zeros(size, np.uint64)
    added = fill_fence(board, near_squares(board, squares + 1), positions, boxes, fence, most)
    return None if added < 0 else fence


@kernel
def fill_fence(board: Board, near: Table, positions: Table, boxes: int, fence: Table, most: int) -> int:
    """Put the keys of all positions near *positions* into *fence*; return how many, or -1 above *most*.

    *near* has for each square itself first, then those near it: a box that goes to its first stays.
    """
    count = positions.shape[1]
    added = 0
    keys = board.box_keys
    for number in range(positions.shape[0]):
        here = positions[number]
        whole = np.uint64(0)
        for at in range(count):
            whole ^= keys[here[at]]
        for first in range(count):
            for one in range(near.shape[1]):
                if near[here[first], one] < 0:
                    break
                key_one = whole ^ keys[here[first]] ^ keys[near[here[first], one]]
                added += _add(fence, key_one)
                if boxes < 2 or added > most:
                    continue
                for second in range(first + 1, count):
                    for two in range(1, near.shape[1]):
                        if near[here[second], two] < 0:
                            break
                        key_two = key_one ^ keys[here[second]] ^ keys[near[here[second], two]]
                        added += _add(fence, key_two)
                        if boxes < 3 or added > most:
                            continue
                        for third in range(second + 1, count):
                            for three in range(1, near.shape[1]):
                                if near[here[third], three] < 0 or added > most:
                                    break
                                added += _add(fence, key_two ^ keys[here[third]] ^ keys[near[here[third], three]])
            if added > most:
                return -1
    return added


@inner
def _add(fence: Table, key: int) -> int:
    """Put a key into the fence; return 1 if it was not there."""
    last = fence.shape[0] - 1
    at = np.int64(np.uint64(key) & np.uint64(last))
    while fence[at]:
        if fence[at] == key:
            return 0
        at = (at + 1) & last
    fence[at] = key
    return 1


@inner
def is_inside(fence: Table, key: int) -> bool:
    """Whether the boxes of this key may be entered."""
    last = fence.shape[0] - 1
    if last == 0:
        return True
    at = np.int64(np.uint64(key) & np.uint64(last))
    while fence[at]:
        if fence[at] == key:
            return True
        at = (at + 1) & last
    return False
