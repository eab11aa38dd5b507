"""Squares that a box may use, and the states of two boxes alone on them."""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, kernel
from solvers.sokoban.solving.floor.floods import regions

ZONES = 8  # most zones of the player: two boxes have eight sides


class Squares(NamedTuple):
    """Squares a box may use. *bit* int32[n+1]: a square's index among them, -1 elsewhere; *square*: the inverse."""

    bit: Table
    square: Table


class PairZones(NamedTuple):
    """Zones of the player with boxes on only two of m squares.

    A pair has number `m * lesser + greater`, by the indices of its squares. *state* int32[m*m]: the first of its
    states, one per zone; *zone* uint8[m*m, n+1]: the zone of the player's square, from 1; *states*: their number.
    """

    state: Table
    zone: Table
    states: int


def live_squares(dead: Table) -> Squares:
    """Number the squares that are not *dead* (uint8[n+1])."""
    square = np.flatnonzero(dead == 0).astype(np.int32)
    bit = np.full(len(dead), -1, np.int32)
    bit[square] = np.arange(len(square), dtype=np.int32)
    return Squares(bit, square)


def pair_zones_for(board: Board, squares: Squares) -> PairZones:
    """Label the zones of all pairs of *squares*. Time O(m² n)."""
    live, size = len(squares.square), board.size
    state, zone = np.zeros(live * live, np.int32), np.zeros((live * live, size + 1), np.uint8)
    mark, queue = np.zeros(size + 2, np.int32), np.zeros(size + 2, np.int32)
    blocked = np.zeros(size + 1, np.uint8)
    blocked[size] = 1
    return PairZones(state, zone, _label_zones(board.neighbours, squares.square, blocked, state, zone, mark, queue))


@kernel
def _label_zones(
    neighbours: Table, square: Table, blocked: Table, state: Table, zone: Table, mark: Table, queue: Table
) -> int:
    """Number the zones of all pairs; return their total number."""
    size = neighbours.shape[0] - 1
    live = square.shape[0]
    states = 0
    for one in range(live):
        blocked[square[one]] = 1
        for other in range(one + 1, live):
            blocked[square[other]] = 1
            pair = one * live + other
            state[pair] = states
            states += regions(size, neighbours, blocked, mark, queue)
            for here in range(size):
                zone[pair, here] = mark[here]
            blocked[square[other]] = 0
        blocked[square[one]] = 0
    return states
