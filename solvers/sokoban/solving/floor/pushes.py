"""A solution as its pushes only, without the walks between them."""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, kernel
from solvers.sokoban.solving.floor.tables import fill

_LETTERS = "lurd"


class Push(NamedTuple):
    """A push: the box's square before it, and its direction."""

    box: int
    direction: int


def pushes_of(board: Board, lurd: str) -> list[Push]:
    """Return the pushes of a solution with exact capitals. Time O(moves)."""
    pushes = []
    player = board.player
    for letter in lurd:
        direction = _LETTERS.index(letter.lower())
        player = int(board.neighbours[player, direction])
        if letter.isupper():
            pushes.append(Push(player, direction))
    return pushes


def positions_of(board: Board, lurd: str) -> Table:
    """Return int32[pushes + 1, boxes]: the boxes' squares before the first push and after each push."""
    boxes = [int(box) for box in board.boxes]
    positions = [boxes.copy()]
    for box, direction in pushes_of(board, lurd):
        boxes[boxes.index(box)] = int(board.neighbours[box, direction])
        positions.append(boxes.copy())
    return np.array(positions, np.int32)


def in_moves(board: Board, pushes: list[Push]) -> str | None:
    """Insert the shortest walks between the pushes; return None if the player cannot reach one. Time O(pushes * n)."""
    blocked = np.zeros(board.size + 1, np.uint8)
    blocked[board.boxes] = 1
    blocked[board.size] = 1
    steps = np.zeros(board.size + 1, np.int8)
    came, queue = np.zeros(board.size + 1, np.int8), np.zeros(board.size + 1, np.int32)
    player = board.player
    letters = []
    for box, direction in pushes:
        stand, target = int(board.neighbours[box, direction ^ 2]), int(board.neighbours[box, direction])
        if not blocked[box] or blocked[target] or blocked[stand]:
            return None
        count = _walk(board.neighbours, blocked, player, stand, came, queue, steps)
        if count < 0:
            return None
        letters += [_LETTERS[step] for step in steps[:count]]
        letters.append(_LETTERS[direction].upper())
        blocked[box], blocked[target] = 0, 1
        player = box
    return "".join(letters)


@kernel
def _walk(neighbours: Table, blocked: Table, start: int, stop: int, came: Table, queue: Table, steps: Table) -> int:
    """Write a shortest walk to *steps*; return its length, -1 if there is none."""
    fill(came, -1)
    came[start] = 4
    queue[0] = start
    count = 1
    at = 0
    while at < count and came[stop] < 0:
        here = queue[at]
        at += 1
        for direction in range(4):
            there = neighbours[here, direction]
            if blocked[there] == 0 and came[there] < 0:
                came[there] = direction
                queue[count] = there
                count += 1
    if came[stop] < 0:
        return -1
    length = 0
    here = stop
    while here != start:
        length += 1
        here = neighbours[here, came[here] ^ 2]
    at = length
    here = stop
    while here != start:
        at -= 1
        steps[at] = came[here]
        here = neighbours[here, came[here] ^ 2]
    return length
