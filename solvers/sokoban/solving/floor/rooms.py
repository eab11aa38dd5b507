"""Rooms of the empty board, and the number of connections between them that boxes cut.

A room is a connected union of at least two free 2x2 blocks; squares outside rooms are corridors (a feature of Shoham
and Schaeffer's feature-space search, IEEE CoG 2020).
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.tables import fill

MOST_ROOMS = 40


class Rooms(NamedTuple):
    """*of* int32[n+1]: a square's room, -1 in corridors. *border* uint8[n+1]: 1 where a box can cut a connection.

    *adjacent* uint8[r, r]: rooms connected in the empty board; *found* uint8[r, r] and *mark*, *queue*
    int32[n+1] are scratch; *number* is r, or 0 if there are fewer than two rooms.
    """

    number: int
    of: Table
    border: Table
    adjacent: Table
    found: Table
    mark: Table
    queue: Table


def find_rooms(board: Board) -> Rooms:
    """Find the rooms of a board; with more than MOST_ROOMS return none. Time O(n)."""
    size, neighbours = board.size, board.neighbours
    of = np.full(size + 1, -1, np.int32)
    blocks = {}  # top left square of each free 2x2 block -> its four squares
    for square in range(size):
        right, below = int(neighbours[square, 2]), int(neighbours[square, 3])
        corner = int(neighbours[right, 3])
        if size not in (right, below, corner):
            blocks[square] = (square, right, below, corner)
    count = 0
    left = {at for at in blocks if any(int(there) in blocks for there in neighbours[at])}
    while left:
        todo = [min(left)]
        left.remove(todo[0])
        for at in todo:
            of[list(blocks[at])] = count
            beside = left.intersection(map(int, neighbours[at]))
            todo += sorted(beside)
            left -= beside
        count += 1
    count = count if 2 <= count <= MOST_ROOMS else 0
    border = np.zeros(size + 1, np.uint8)
    for square in range(size):
        here = of[square]
        border[square] = here < 0 or any(there != size and of[there] != here for there in neighbours[square])
    side = max(count, 1)
    rooms = Rooms(
        count,
        of,
        border,
        np.zeros((side, side), np.uint8),
        np.zeros((side, side), np.uint8),
        np.zeros(size + 1, np.int32),
        np.zeros(size + 1, np.int32),
    )
    empty = np.zeros(size + 1, np.uint8)
    empty[size] = 1
    _ways(board.size, board.neighbours, empty, rooms)
    rooms.adjacent[:] = rooms.found
    return rooms


@kernel
def _ways(size: int, neighbours: Table, blocked: Table, rooms: Rooms) -> None:
    """Mark in `rooms.found` the pairs of rooms connected by free corridors."""
    for room in range(rooms.number):
        fill(rooms.found[room], 0)
    fill(rooms.mark, 0)
    for room in range(rooms.number):
        count = 0
        for square in range(size):
            if rooms.of[square] == room and rooms.border[square] and blocked[square] == 0:
                rooms.queue[count] = square
                rooms.mark[square] = room + 1
                count += 1
        at = 0
        while at < count:
            here = rooms.queue[at]
            at += 1
            for side in range(4):
                there = neighbours[here, side]
                if blocked[there] or rooms.mark[there] == room + 1 or rooms.of[there] == room:
                    continue
                if rooms.of[there] >= 0:
                    rooms.found[room, rooms.of[there]] = 1
                    continue
                rooms.mark[there] = room + 1
                rooms.queue[count] = there
                count += 1


@inner
def cut_ways(neighbours: Table, blocked: Table, rooms: Rooms) -> int:
    """Count the pairs of rooms connected in the empty board but not now. Time O(rooms * corridors)."""
    if rooms.number == 0:
        return 0
    _ways(neighbours.shape[0] - 1, neighbours, blocked, rooms)
    cut = 0
    for room in range(rooms.number):
        for other in range(room):
            if rooms.adjacent[room, other] and not (rooms.found[room, other] and rooms.found[other, room]):
                cut += 1
    return cut


@inner
def boxes_by_room(of: Table, boxes: Table, count: int) -> int:
    """Return a hash of the number of boxes per room, with the corridors as one more room; its last 18 bits are 0."""
    name = np.int64(0)
    for at in range(count):
        room = of[boxes[at]] + 2
        name += (room * room * 7919 + room * 104729) << 12
    return (name & ((1 << 44) - 1)) << 18  # type: ignore[return-value]
