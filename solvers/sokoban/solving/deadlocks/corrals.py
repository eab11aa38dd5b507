"""PI-corral pruning: closed regions that must be opened first, in a form that loses no push-optimal solution.

Take a region that the player cannot reach, and a set of boxes that contains all boxes next to it. Suppose that,
whatever is pushed elsewhere, the first push of a box in the set can only be one that goes into the region and is
possible now. If a box of the set is off its goal, one of these pushes must be made at some time, and can as well be
made now: until then nothing in the set or the region moves, and the player can return to the same place, because the
square that the box left is next to it. So only these pushes need to be tried; if there are none, the position is lost.

The idea is due to B. Damgaard and M. Meger (PI-corrals). To cover anything "pushed elsewhere", all boxes
outside the set are removed, but another box of the set, a wall or dead squares may hold a box of the set. A box
outside that blocks a push joins the set; a closed region behind one joins the region. The exchange preserves only the
number of pushes, not of moves.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner

NOTHING = 0  # no corral: all pushes are tried
LOST = -1  # a corral that no push can open


class Corrals(NamedTuple):
    """Scratch for the corral search, int32[n+2] each: *membership* is 1 in the region and 2 on boxes of the set."""

    membership: Table
    tried: Table
    members: Table
    queue: Table
    chosen: Table


def corrals_for(size: int) -> Corrals:
    """Allocate the scratch for a board of *size* squares."""
    return Corrals(*(np.zeros(size + 2, np.int32) for _ in range(5)))


@inner
def choose_corral(board: Board, blocked: Table, zone: Table, stamp: int, corrals: Corrals) -> int:
    """Find the corral with the fewest pushes; return NOTHING, LOST, or the number of its boxes in `corrals.chosen`.

    *blocked* uint8[n+1] has the boxes, *zone* the *stamp* where the player can walk. Time O(n + corrals * boxes²).
    """
    size, tried, members = board.size, corrals.tried, corrals.members
    fewest = 1 << 30
    held = NOTHING
    for square in range(size):
        tried[square] = 0
    for square in range(size):
        if fewest == 0 or blocked[square] or zone[square] == stamp or tried[square]:
            continue
        pushes = _grow_corral(board, blocked, zone, stamp, corrals, square)
        if 0 <= pushes < fewest:
            fewest = pushes
            held = members[size + 1] if pushes else LOST
            for at in range(held):
                corrals.chosen[at] = members[at]
    return held


@inner
def _grow_corral(board: Board, blocked: Table, zone: Table, stamp: int, corrals: Corrals, start: int) -> int:
    """Grow the corral of the region of *start*; return the number of pushes that open it, or -1 if it is no PI-corral.

    *members* receives its boxes, and their number in its last entry.
    """
    size, neighbours, dead, goal = board.size, board.neighbours, board.dead, board.goal
    membership, members = corrals.membership, corrals.members
    for square in range(size + 1):
        membership[square] = 0
    count = _add_region(board, blocked, corrals, start, np.int64(0))
    members[size + 1] = count
    pushes = 0
    grown = True
    while grown:
        pushes = 0
        grown = False
        for at in range(count):
            box = members[at]
            for direction in range(4):
                target, stand = np.int64(neighbours[box, direction]), np.int64(neighbours[box, direction ^ 2])
                if target == size or stand == size or dead[target]:
                    continue
                if membership[target] == 2 or membership[stand] != 0:
                    continue  # held by the set, or the player cannot stand there before the corral is open
                if membership[target] == 1 and zone[stand] == stamp:
                    pushes += 1
                elif blocked[target]:
                    membership[target] = 2
                    members[count] = target
                    count += 1
                    grown = True
                elif blocked[stand]:
                    membership[stand] = 2
                    members[count] = stand
                    count += 1
                    grown = True
                elif membership[target] == 0 and zone[target] == stamp:
                    pushes = -1  # the box can leave to where the player walks
                    break
                elif membership[target] == 0:
                    count = _add_region(board, blocked, corrals, target, count)
                    grown = True
                else:
                    count = _add_region(board, blocked, corrals, stand, count)
                    grown = True
                if grown:
                    break
            if grown or pushes < 0:
                break
        members[size + 1] = count
    at = 0
    while at < count and goal[members[at]]:
        at += 1
    return pushes if at < count else -1  # a set of boxes that are on goals need not be opened


@inner
def _add_region(board: Board, blocked: Table, corrals: Corrals, start: int, count: int) -> int:
    """Add the region of *start* and the boxes next to it; return the new number of boxes."""
    size, neighbours, membership, queue, tried = (
        board.size,
        board.neighbours,
        corrals.membership,
        corrals.queue,
        corrals.tried,
    )
    membership[start] = 1
    tried[start] = 1
    queue[0] = start
    met = 1
    at = 0
    while at < met:
        here = queue[at]
        at += 1
        for direction in range(4):
            there = neighbours[here, direction]
            if there == size or membership[there]:
                continue
            if blocked[there]:
                membership[there] = 2
                corrals.members[count] = there
                count += 1
            else:
                membership[there] = 1
                tried[there] = 1
                queue[met] = there
                met += 1
    return count
