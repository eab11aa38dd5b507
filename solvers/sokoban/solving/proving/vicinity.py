"""Box positions near a solution: they differ from one of its positions in a few boxes, moved a little.

S. Gouezel invented vicinity search for the optimizer of YASS (B. Damgaard); JSoko (M. Meger) has it too: the
shortest solution is searched among these positions only.
"""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel

# A fence is a hash table of box keys, uint64, 0 if empty; this one allows everything.
NO_FENCE: Table = np.zeros(1, np.uint64)
_MOST_NEAR = 4_000_000  # entries of the table of near squares, to keep it small on the largest boards


def near_squares(board: Board, most: int) -> Table:
    """Return int32[n+1, most]: each square's nearest live squares by walking, itself first; padded with -1."""
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


def own_squares(positions: Table) -> Table:
    """Return int32[boxes, most]: the squares each box occupies in *positions* int32[k, boxes]; padded with -1."""
    squares = [list(dict.fromkeys(column)) for column in positions.T.tolist()]
    own = np.full((len(squares), max(map(len, squares))), -1, np.int32)
    for row, box_squares in zip(own, squares, strict=True):
        row[: len(box_squares)] = box_squares
    return own


def make_fence(board: Board, positions: Table, boxes: int, squares: int | None, most: int) -> Table | None:
    """Return the fence of *positions*, int32[k, boxes]: up to *boxes* moved to one of their *squares* nearest squares.

    If *squares* is None: to any square that the same box occupies in another position, which is enough to push it
    sooner or later than before. Return None if there would be more than *most* positions. Time O(positions).
    """
    if squares is None:
        choices = own_squares(positions)
    else:
        choices = near_squares(board, min(squares, board.size, _MOST_NEAR // board.size) + 1)
    count = positions.shape[1]
    ways = 1.0
    for number in range(min(boxes, count)):
        # On average; boxes that never move have no other square of their own.
        others = count * choices.shape[1] if squares is not None else int((choices[:, 1:] >= 0).sum())
        ways *= 1 + others * (count - number) / count / (number + 1)
    size = 1 << max(int(2 * min(ways * len(positions), most)).bit_length(), 8)
    fence = np.zeros(size, np.uint64)
    added = fill_fence(board, choices, squares is None, positions, boxes, fence, most)
    return None if added < 0 else fence


@kernel
def fill_fence(
    board: Board, choices: Table, is_by_box: bool, positions: Table, boxes: int, fence: Table, most: int  # noqa: FBT001
) -> int:  # fmt: skip
    """Add the keys of all positions near *positions* to *fence*; return their number, or -1 above *most*.

    *choices* has a row of squares for each box, or for each square that a box may occupy.
    """
    count = positions.shape[1]
    added = 0
    keys = board.box_keys
    # At most half full: probing a full table would never terminate.
    most = min(most, fence.shape[0] // 2)
    for number in range(positions.shape[0]):
        here = positions[number]
        whole = np.uint64(0)
        for at in range(count):
            whole ^= keys[here[at]]
        added += _add(fence, whole)
        for first in range(count):
            row_one = choices[first if is_by_box else here[first]]
            for one in range(row_one.shape[0]):
                if row_one[one] < 0 or added > most:
                    break
                if row_one[one] == here[first]:
                    continue
                key_one = whole ^ keys[here[first]] ^ keys[row_one[one]]
                added += _add(fence, key_one)
                for second in range(first + 1, count if boxes > 1 else 0):
                    row_two = choices[second if is_by_box else here[second]]
                    for two in range(row_two.shape[0]):
                        if row_two[two] < 0 or added > most:
                            break
                        if row_two[two] == here[second]:
                            continue
                        key_two = key_one ^ keys[here[second]] ^ keys[row_two[two]]
                        added += _add(fence, key_two)
                        for third in range(second + 1, count if boxes > 2 else 0):
                            row_three = choices[third if is_by_box else here[third]]
                            for three in range(row_three.shape[0]):
                                if row_three[three] < 0 or added > most:
                                    break
                                if row_three[three] != here[third]:
                                    added += _add(fence, key_two ^ keys[here[third]] ^ keys[row_three[three]])
        if added > most:
            return -1
    return added


@inner
def _add(fence: Table, key: int) -> int:
    """Add a key to the fence; return 1 if it is new."""
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
    """Return whether the search may enter the box position with this key."""
    last = fence.shape[0] - 1
    if last == 0:
        return True
    at = np.int64(np.uint64(key) & np.uint64(last))
    while fence[at]:
        if fence[at] == key:
            return True
        at = (at + 1) & last
    return False
