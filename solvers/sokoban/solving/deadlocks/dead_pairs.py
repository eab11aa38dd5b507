"""Dead pairs: two boxes that, alone on the board, can never both get to goals with the player where he is.

Removing other boxes only makes a position easier, so every position with such a pair is lost. One backward search from
every two goals finds all of them before a level is searched, in some hundredths of a second.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.squares import ZONES, live_squares, pair_zones_for

MOST_BYTES = 48 << 20  # beyond that no pair is known


class DeadPairs(NamedTuple):
    """The states of two boxes that are not dead: *alive* uint8[states].

    *live* is the number m of squares that a box may use, 0 if no pairs are known, *bit* int32[n+1] their indices, and
    *state* and *zone* are those of `floor.squares.PairZones`.
    """

    bit: Table
    live: int
    state: Table
    zone: Table
    alive: Table


def dead_pairs_for(board: Board) -> DeadPairs:
    """Find all dead pairs; none if there is one goal or the tables would take more than MOST_BYTES. Time O(m² n)."""
    bit, square = squares = live_squares(board.dead)
    live = len(square)
    if len(board.goals) < 2 or live * live * (board.size + 5) > MOST_BYTES:
        return DeadPairs(bit, 0, np.zeros(0, np.int32), np.zeros((0, 0), np.uint8), np.zeros(0, np.uint8))
    state, zone, states = pair_zones_for(board, squares)
    pairs = DeadPairs(bit, live, state, zone, np.zeros(states, np.uint8))
    _mark_alive(board, pairs, np.zeros(states, np.int64))
    return pairs


@kernel
def _mark_alive(board: Board, pairs: DeadPairs, queue: Table) -> None:
    """Search backward from every two goals."""
    bit, live, state, zone, alive = pairs.bit, pairs.live, pairs.state, pairs.zone, pairs.alive
    neighbours, goals, size = board.neighbours, board.goals, board.size
    met = np.int64(0)
    for first in range(goals.shape[0]):
        for second in range(first + 1, goals.shape[0]):  # goals are in ascending order
            pair = bit[goals[first]] * live + bit[goals[second]]
            for here in range(size):
                number = zone[pair, here]
                if number and alive[state[pair] + number - 1] == 0:
                    alive[state[pair] + number - 1] = 1
                    queue[met] = (np.int64(goals[first]) * size + goals[second]) * ZONES + number - 1
                    met += 1
    done = np.int64(0)
    while done < met:
        box, other = queue[done] // ZONES // size, queue[done] // ZONES % size
        number = queue[done] % ZONES + 1
        done += 1
        pair = min(bit[box], bit[other]) * live + max(bit[box], bit[other])
        for _ in range(2):
            for direction in range(4):
                before = np.int64(neighbours[box, direction])
                stand = np.int64(neighbours[before, direction])
                if bit[before] < 0 or zone[pair, before] != number:
                    continue
                there = min(bit[before], bit[other]) * live + max(bit[before], bit[other])
                at = state[there] + zone[there, stand] - 1
                if zone[there, stand] and alive[at] == 0:  # zone 0: not floor, or the other box
                    alive[at] = 1
                    queue[met] = (before * size + other) * ZONES + zone[there, stand] - 1
                    met += 1
            box, other = other, box


@inner
def has_dead_pair(pairs: DeadPairs, boxes: Table, count: int, stand: int) -> bool:
    """Return whether two of the first *count* boxes are dead with the player on *stand*; no box is on a dead square."""
    bit, live, state, zone, alive = pairs.bit, pairs.live, pairs.state, pairs.zone, pairs.alive
    one = np.int64(count if live == 0 else 0)
    is_dead = False
    while one < count and not is_dead:
        here = bit[boxes[one]]
        for other in range(one + 1, count):
            there = bit[boxes[other]]
            pair = min(here, there) * live + max(here, there)
            is_dead = is_dead or alive[state[pair] + zone[pair, stand] - 1] == 0
        one += 1
    return is_dead
