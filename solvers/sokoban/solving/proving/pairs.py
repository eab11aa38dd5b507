"""Pair conflicts: the pushes that two boxes in each other's way cost beyond the matching.

For every two squares, and every player zone with boxes on only these two, backward searches from each two goals give
the pushes that the two boxes need together. Removing other boxes only makes a position easier, and a push moves one
box, so the excess costs of disjoint pairs can be added. The share of a box and of a goal in the matching
are their potentials: for any assigned goals, a pair costs its potentials plus the result of `more_pushes`.

Linear conflicts come from Rolling Stone (Junghanns, Schaeffer 2001), here for all pairs and with the player's zone.
The bound may fall by more than one with a push (it is inconsistent): a child gets at least its parent's bound.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.matching import Matching
from solvers.sokoban.solving.floor.squares import ZONES, Squares, pair_zones_for

_NO_WAY = 30_000  # fits into 16 bits
_MOST_BYTES = 48 << 20


class Pairs(NamedTuple):
    """Pushes of all pairs. *pushes* int16[states, k*k]: by goals of the box on the lesser square and of the other.

    *state* and *zone* are those of `floor.squares.PairZones`. *more* int32[k, k] is scratch. All are empty if pairs are
    not used.
    """

    state: Table
    zone: Table
    pushes: Table
    more: Table


def no_pairs() -> Pairs:
    """Return the tables of a search that does not use pairs."""
    return Pairs(
        np.zeros(0, np.int32), np.zeros((0, 0), np.uint8), np.zeros((0, 0), np.int16), np.zeros((0, 0), np.int32)
    )


def pairs_of(board: Board, squares: Squares, allowed: int = _MOST_BYTES) -> Pairs:
    """Compute the pushes of all pairs; return no pairs if the tables would take more than about *allowed* bytes.

    Time O(m² (n + k²)).
    """
    live, count, size = len(squares.square), len(board.goals), board.size
    if count < 2 or live * live * (size + 2 * count * count) > min(allowed, _MOST_BYTES):
        return no_pairs()
    state, zone, states = pair_zones_for(board, squares)
    pushes = np.full((states, count * count), _NO_WAY, np.int16)
    _fill_pushes(board, squares.bit, state, zone, pushes, np.zeros(2 * states + 1, np.int32))
    return Pairs(state, zone, pushes, np.zeros((count, count), np.int32))


@kernel
def _fill_pushes(board: Board, bit: Table, state: Table, zone: Table, pushes: Table, queue: Table) -> None:
    """Search breadth-first from each two goals, in reverse."""
    neighbours, goals, size = board.neighbours, board.goals, board.size
    count = goals.shape[0]
    live = np.int64(1)
    while live * live < state.shape[0]:
        live += 1
    for first in range(count):
        for second in range(first + 1, count):
            # A state in the queue: ((box for the first goal * squares) + box for the second) * zones + zone.
            low, high = bit[goals[first]], bit[goals[second]]
            met = 0
            for here in range(size):
                number = zone[low * live + high, here]
                at = state[low * live + high] + number - 1
                if number and pushes[at, first * count + second]:
                    pushes[at, first * count + second] = 0
                    queue[met] = ((goals[first] * size) + goals[second]) * ZONES + number - 1
                    met += 1
            done = 0
            while done < met:
                box, other = queue[done] // ZONES // size, queue[done] // ZONES % size
                number = queue[done] % ZONES + 1
                done += 1
                low, high = min(bit[box], bit[other]), max(bit[box], bit[other])
                pair = low * live + high
                goal = first * count + second if box < other else second * count + first
                cost = pushes[state[pair] + number - 1, goal] + 1
                for turn in range(2):
                    for direction in range(4):
                        before = neighbours[box, direction]
                        stand = neighbours[before, direction]
                        if bit[before] < 0 or zone[pair, before] != number:
                            continue
                        low, high = min(bit[before], bit[other]), max(bit[before], bit[other])
                        there = low * live + high
                        if zone[there, stand] == 0:
                            continue  # not floor, or the other box
                        to_first, to_second = (before, other) if turn == 0 else (other, before)
                        goal = first * count + second if to_first < to_second else second * count + first
                        at = state[there] + zone[there, stand] - 1
                        if pushes[at, goal] == _NO_WAY:
                            pushes[at, goal] = cost
                            queue[met] = ((to_first * size) + to_second) * ZONES + zone[there, stand] - 1
                            met += 1
                    box, other = other, box


@inner
def more_pushes(pairs: Pairs, bit: Table, boxes: Table, count: int, man: int, matching: Matching) -> int:
    """Return the cost of disjoint pairs of *boxes* (ascending) beyond the *matching*; FAR if a pair is a deadlock.

    Pairs are chosen greedily, most expensive first. Time O(boxes²) if no pair costs more.
    """
    more, costs, rows, columns, goal_of = pairs.more, matching.costs, matching.rows, matching.columns, matching.way
    state, zone, all_pushes = pairs.state, pairs.zone, pairs.pushes
    if state.shape[0] == 0:
        return 0
    live = np.int64(1)
    while live * live < state.shape[0]:
        live += 1
    for column in range(1, count + 1):
        goal_of[matching.row_of[column]] = column
    is_any = False
    for one in range(count):
        for other in range(one + 1, count):
            more[one, other] = 0
            pair = bit[boxes[one]] * live + bit[boxes[other]]
            pushes_of = all_pushes[state[pair] + zone[pair, man] - 1]
            here, there = goal_of[one + 1] - 1, goal_of[other + 1] - 1
            if pushes_of[here * count + there] == costs[one, here] + costs[other, there]:
                continue
            least = np.int64(_NO_WAY)
            share = rows[one + 1] + rows[other + 1]
            for first in range(count):
                first_cost = share + columns[first + 1]
                for second in range(count):
                    pushes = pushes_of[first * count + second]
                    if pushes < _NO_WAY:
                        least = min(least, pushes - first_cost - columns[second + 1])
                if least == 0:
                    break
            if least == _NO_WAY:
                return FAR
            if least > 0:
                more[one, other] = least
                is_any = True
    return _greatest_sum(more, count, goal_of) if is_any else 0


@inner
def _greatest_sum(more: Table, count: int, used: Table) -> int:
    """Return the sum of disjoint pairs chosen greedily, greatest first. *used* is scratch."""
    for one in range(count):
        used[one] = 0
    total = np.int64(0)
    while True:
        most, first, second = np.int64(0), 0, 0
        for one in range(count):
            for other in range(one + 1, count):
                if used[one] == 0 and used[other] == 0 and more[one, other] > most:
                    most, first, second = np.int64(more[one, other]), one, other
        if most == 0:
            return total  # type: ignore[return-value]
        total += most
        used[first] = used[second] = 1
