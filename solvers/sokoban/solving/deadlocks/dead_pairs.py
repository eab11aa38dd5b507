"""Dead pairs: two boxes that, alone on the board, can never both get to goals with the player where he is.

Removing other boxes only makes a position easier, so every position with such a pair is lost. One backward search from
every two goals finds all of them before a level is searched, in some hundredths of a second. For searches by pulls a
forward search from every two boxes finds the pairs that no play from the start leads to.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.squares import ZONES, live_squares, pair_zones_for

MOST_BYTES = 48 << 20  # beyond that no pair is known


class DeadPairs(NamedTuple):
    """States of two boxes: those that can lead to goals, *alive*, and come from the start, *born*: uint8[states].

    *live* is the number m of squares that a box may use, 0 if no pairs are known, *bit* int32[n+1] their indices, and
    *state* and *zone* are those of `floor.squares.PairZones`.
    """

    bit: Table
    live: int
    state: Table
    zone: Table
    alive: Table
    born: Table


def dead_pairs_for(board: Board) -> DeadPairs:
    """Find all dead pairs; none if there is one goal or the tables would take more than MOST_BYTES. Time O(m² n)."""
    bit, square = squares = live_squares(board.dead)
    live = len(square)
    if len(board.goals) < 2 or live * live * (board.size + 5) > MOST_BYTES:
        none = np.zeros(0, np.uint8)
        return DeadPairs(bit, 0, np.zeros(0, np.int32), np.zeros((0, 0), np.uint8), none, none)
    state, zone, states = pair_zones_for(board, squares)
    pairs = DeadPairs(bit, live, state, zone, np.zeros(states, np.uint8), np.zeros(states, np.uint8))
    queue = np.zeros(states, np.int64)
    _mark(board, pairs, pairs.alive, queue, pull=True)
    _mark(board, pairs, pairs.born, queue, pull=False)
    return pairs


@kernel
def _mark(board: Board, pairs: DeadPairs, marks: Table, queue: Table, pull: bool) -> None:  # noqa: FBT001
    """Set *marks* to 1 for every state in reach, by pulls from every two goals, or by pushes from every two boxes."""
    bit, live, state, zone = pairs.bit, pairs.live, pairs.state, pairs.zone
    neighbours, size = board.neighbours, board.size
    starts = board.goals if pull else board.boxes
    met = np.int64(0)
    for first in range(starts.shape[0]):
        for second in range(first + 1, starts.shape[0]):  # the squares are in ascending order
            if bit[starts[first]] < 0 or bit[starts[second]] < 0:
                continue
            pair = bit[starts[first]] * live + bit[starts[second]]
            for here in range(size):
                number = zone[pair, here]
                if number and (pull or here == board.player) and marks[state[pair] + number - 1] == 0:
                    marks[state[pair] + number - 1] = 1
                    queue[met] = (np.int64(starts[first]) * size + starts[second]) * ZONES + number - 1
                    met += 1
    done = np.int64(0)
    while done < met:
        box, other = queue[done] // ZONES // size, queue[done] // ZONES % size
        number = queue[done] % ZONES + 1
        done += 1
        pair = min(bit[box], bit[other]) * live + max(bit[box], bit[other])
        for _ in range(2):
            for direction in range(4):
                after = np.int64(neighbours[box, direction])
                side = after if pull else np.int64(neighbours[box, direction ^ 2])
                stand = np.int64(neighbours[after, direction]) if pull else box
                if bit[after] < 0 or after == other or zone[pair, side] != number:
                    continue
                there = min(bit[after], bit[other]) * live + max(bit[after], bit[other])
                at = state[there] + zone[there, stand] - 1
                if zone[there, stand] and marks[at] == 0:  # zone 0: not floor, or the other box
                    marks[at] = 1
                    queue[met] = (after * size + other) * ZONES + zone[there, stand] - 1
                    met += 1
            box, other = other, box


@inner
def has_lost_pair(pairs: DeadPairs, marks: Table, boxes: Table, count: int, stand: int) -> bool:
    """Return whether *marks* (alive or born) excludes two of the first *count* boxes with the player on *stand*.

    No box may be on a dead square.
    """
    is_lost = False
    for one in range(1, count):
        is_lost = is_lost or has_lost_partner(pairs, marks, boxes, one, boxes[one], stand)
    return is_lost


@inner
def has_lost_partner(pairs: DeadPairs, marks: Table, boxes: Table, count: int, moved: int, stand: int) -> bool:
    """Return whether *marks* excludes a box on *moved* together with one of the first *count*, as `has_lost_pair`."""
    bit, live, state, zone = pairs.bit, pairs.live, pairs.state, pairs.zone
    here = bit[moved]
    is_lost = False
    for other in range(count if live else 0):
        there = bit[boxes[other]]
        if there != here:
            pair = min(here, there) * live + max(here, there)
            is_lost = is_lost or marks[state[pair] + zone[pair, stand] - 1] == 0
    return is_lost
