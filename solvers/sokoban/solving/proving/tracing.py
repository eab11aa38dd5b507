"""Reconstruct the solution that ends in a state of an exact search, by undoing its pushes one by one.

States store no parent: one of the possible predecessors is in the hash table at a cost lower by exactly the
cost of the push.
"""

import numpy as np

from solvers.sokoban.solving.compiling import Table, inlined, inner, kernel
from solvers.sokoban.solving.floor.floods import walk_everywhere
from solvers.sokoban.solving.floor.routes import MacroMove, to_lurd
from solvers.sokoban.solving.floor.tables import fill
from solvers.sokoban.solving.proving.open_list import PUSHES
from solvers.sokoban.solving.proving.scratch import Search
from solvers.sokoban.solving.proving.states import find, number_in, pack, put_number, unpack

# Indices of the results of `_take_back`: the push, then the player, pushes and moves before it, and the start's image.
_FROM, _TO, _MAN, _PUSHES, _MOVES, _TURN = range(6)


def solution(search: Search, state: int) -> str:
    """Return the moves from the start to *state*, or to an image of it. Overwrites the finished *search*'s scratch.

    Raise LookupError if a predecessor cannot be found (a bug).
    """
    board, images, row = search.board, search.images, search.store.rows[state]
    boxes = np.zeros(len(search.squares.square) + 1, np.int32)
    boxes = boxes[: unpack(search.squares, row, boxes)]
    found = np.zeros(6, np.int64)
    found[_MAN], found[_PUSHES] = number_in(row, 4), number_in(row, 2)
    found[_MOVES] = 0 if search.aim == PUSHES else search.store.moves[state]
    # The path may begin in any image of the start.
    starts = np.bitwise_xor.reduce(board.box_keys[images[:, board.boxes]], axis=1)
    macros = []
    while found[_PUSHES]:
        if not _take_back(search, starts, boxes, found):
            raise LookupError(f"no state leads to the boxes on {sorted(boxes)} with the player on {found[_MAN]}")
        macros.append((found[_FROM], found[_TO]))
    back = np.argsort(images[found[_TURN]])
    turned = ((int(back[source]), int(back[target])) for source, target in reversed(macros))
    return to_lurd(board, (MacroMove(source, target, source) for source, target in turned))


@kernel
def _take_back(search: Search, starts: Table, boxes: Table, found: Table) -> bool:
    """Undo the last push of the state of *boxes* and *found*, to the cheapest known predecessor."""
    board, images, store, scratch, aim = search.board, search.images, search.store, search.scratch, search.aim
    blocked, zone, walked, queue = scratch.blocked, scratch.marks, scratch.walked, scratch.queue
    neighbours, size, count = board.neighbours, board.size, boxes.shape[0]
    fill(blocked, 0)
    blocked[size] = 1
    for at in range(count):
        blocked[boxes[at]] = 1
    man, pushes, moves = np.int64(found[_MAN]), found[_PUSHES], found[_MOVES]
    fill(zone, -1)
    zone[man] = 0
    if aim == PUSHES:
        walk_everywhere(neighbours, blocked, man, zone, queue)
    least = np.int64(1 << 40)
    moved, left = 0, 0
    for at in range(count):
        box = boxes[at]
        for direction in range(4):
            square = neighbours[box, direction]
            if square == size or zone[square] < 0:
                continue
            stand = np.int64(neighbours[square, direction])
            if blocked[stand]:
                continue
            boxes[at] = square
            blocked[box], blocked[square] = 0, 1
            reached = walk_everywhere(neighbours, blocked, stand, walked, queue)
            for turn in range(starts.shape[0] if pushes == 1 else 0):
                there = images[turn, board.player]
                if walked[there] < 0 or starts[turn] != _key_of(board.box_keys, images, np.int64(0), boxes):
                    continue
                walk = 0 if aim == PUSHES else walked[there] + 1
                if walk < least:
                    least = np.int64(walk)
                    found[_FROM], found[_TO], found[_MAN], found[_PUSHES], found[_TURN] = square, box, there, 0, turn
                    moved, left = at, square
            for number in range(reached if pushes > 1 else 0):
                known = _find(search, boxes, reached, number)
                if known < 0 or number_in(store.rows[known], 2) != pushes - 1:
                    continue
                walk = 0 if aim == PUSHES else store.moves[known] + walked[queue[number]] + 1
                if walk <= moves and walk < least:
                    least = np.int64(walk)
                    found[_FROM], found[_TO], found[_MAN], found[_PUSHES] = square, box, queue[number], pushes - 1
                    found[_MOVES] = 0 if aim == PUSHES else store.moves[known]
                    moved, left = at, square
                if aim == PUSHES:
                    break
            boxes[at] = box
            blocked[box], blocked[square] = 1, 0
    if least < 1 << 40:
        boxes[moved] = left
    return bool(least < 1 << 40)


@inner
def _key_of(keys: Table, images: Table, turn: int, boxes: Table) -> int:
    """Return the key of the boxes' image under a symmetry."""
    key = np.uint64(0)
    for at in range(boxes.shape[0]):
        key ^= keys[images[turn, boxes[at]]]
    return key  # type: ignore[return-value]


@inlined
def _find(search: Search, boxes: Table, reached: int, number: int) -> int:
    """Return the number of the stored state with *boxes*, or of its image with the least key; negative if unknown.

    The player is on `scratch.queue[number]` or, if only pushes count, in the zone of all *reached* squares there.
    """
    board, squares, images, aim = search.board, search.squares, search.images, search.aim
    men, row, image = search.scratch.queue, search.scratch.row, search.scratch.after
    count = boxes.shape[0]
    least, chosen, man = np.uint64(0), np.int64(0), np.int64(0)
    for turn in range(images.shape[0]):
        there = np.int64(images[turn, men[number]])
        if aim == PUSHES:
            for at in range(reached):
                there = min(there, images[turn, men[at]])
        key = _key_of(board.box_keys, images, turn, boxes) ^ board.zone_keys[there]
        if turn == 0 or key < least:
            least, chosen, man = key, turn, there  # type: ignore[assignment]
    for at in range(count):
        if squares.bit[boxes[at]] < 0:
            return -1
        image[at] = images[chosen, boxes[at]]
    pack(squares, image, count, row)
    put_number(row, 4, man)
    return find(search.store, search.slots, row, least)
