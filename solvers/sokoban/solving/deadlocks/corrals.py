"""Closed regions that must be opened first: PI-corral pruning, in a form that loses no push-optimal solution.

Take a region where the player cannot come, and a set of boxes that holds all boxes beside it. Suppose that whatever
is pushed elsewhere, the first push of a box of the set can only be one that goes into the region and that can be made
now. If a box of the set is off its goal, one of these pushes is made at some time, and it may as well be made now:
until then nothing moved in the set or the region, and the player gets back to where he was, for the square the box left
is beside it. So only these pushes need to be tried; and where there are none, the position is lost.

The idea is that of B. Damgaard and M. Meger (PI-corrals). What can be pushed "whatever is pushed elsewhere": all boxes
outside the set are taken away, but a box of the set may be held by another of them, a wall or dead squares. A box
outside that stands in the way of a push joins the set, a closed region behind one joins the region. The number of moves
is not kept by the exchange, only that of pushes.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner

NOTHING = 0  # no corral: all pushes count
LOST = -1  # a corral that no push can open


class Corrals(NamedTuple):
    """Room for the search of corrals, int32[n+2] each: *mine* is 1 in the region and 2 on boxes of the set."""

    mine: Table
    tried: Table
    members: Table
    queue: Table
    chosen: Table


def corrals_for(size: int) -> Corrals:
    """Make room for corrals on a board of *size* squares."""
    return Corrals(*(np.zeros(size + 2, np.int32) for _ in range(5)))


@inner
def choose_corral(board: Board, blocked: Table, zone: Table, stamp: int, corrals: Corrals) -> int:
    """Find the corral with the fewest pushes; return NOTHING, LOST, or how many boxes `corrals.chosen` begins with.

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
    """Grow the corral of the region of *start*; return how many pushes open it, -1 if it is none.

    Its boxes are the first of *members*, whose last entry is their number.
    """
    size, neighbours, dead, goal = board.size, board.neighbours, board.dead, board.goal
    mine, members = corrals.mine, corrals.members
    for square in range(size + 1):
        mine[square] = 0
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
                if mine[target] == 2 or mine[stand] != 0:
                    continue  # held by the set, or nobody can stand there before the corral is open
                if mine[target] == 1 and zone[stand] == stamp:
                    pushes += 1
                elif blocked[target]:
                    mine[target] = 2
                    members[count] = target
                    count += 1
                    grown = True
                elif blocked[stand]:
                    mine[stand] = 2
                    members[count] = stand
                    count += 1
                    grown = True
                elif mine[target] == 0 and zone[target] == stamp:
                    pushes = -1  # it can leave to where the player walks
                    break
                elif mine[target] == 0:
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
    return pushes if at < count else -1  # a set of boxes that are home need not be opened


@inner
def _add_region(board: Board, blocked: Table, corrals: Corrals, start: int, count: int) -> int:
    """Add the region of *start* and the boxes beside it; return the new number of boxes."""
    size, neighbours, mine, queue, tried = board.size, board.neighbours, corrals.mine, corrals.queue, corrals.tried
    mine[start] = 1
    tried[start] = 1
    queue[0] = start
    met = 1
    at = 0
    while at < met:
        here = queue[at]
        at += 1
        for direction in range(4):
            there = neighbours[here, direction]
            if there == size or mine[there]:
                continue
            if blocked[there]:
                mine[there] = 2
                corrals.members[count] = there
                count += 1
            else:
                mine[there] = 1
                tried[there] = 1
                queue[met] = there
                met += 1
    return count
