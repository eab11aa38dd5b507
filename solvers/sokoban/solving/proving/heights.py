"""Heights of the floor squares, which let a lower bound from pushes include walks back.

Give every square a height, with neighbours differing by at most one, and let a step cost 1 plus its gain in height: 0,
1 or 2. The steps of a solution then cost its moves, plus the height of its last square minus that of its first. So the
moves are at least the cheapest matching of boxes and goals, with each push at its cost, plus the height of the player's
square, if no square where a solution may end is above 0. If the goals are high, every push towards them costs two
moves: the second is the walk back to the next box, which costs nothing because it leads down.

The bound is consistent like the matching itself: a step changes it by at most one. (For bounds by potentials see
Pommerening, Helmert, Röger, Seipp: From Non-Negative to General Operator Cost Partitioning, 2015.)
"""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.floor.matching import assign, matching_for
from solvers.sokoban.solving.proving.lower_bounds import Costs, costs_to

_MOST_COSTS = 20_000  # squares times goals up to which heights are tried


def raise_costs(board: Board, images: Table, level: Costs) -> Costs:
    """Return costs with the heights that give the best bound at the start, or *level*, the costs without heights.

    Tries distances to or from each square of a goal, a box or the player, treating the *images* of a square alike
    (see `symmetries`). Time O(boxes (n + boxes²) boxes).
    """
    if board.size * len(board.goals) > _MOST_COSTS:
        return level
    best, most = level, _promise(board, level)
    centres = {frozenset(images[:, square].tolist()) for square in (*board.goals, *board.boxes, board.player)}
    for centre in sorted(map(sorted, centres)):
        away = _distances(board, centre)
        for slope in (-away, away):
            costs = costs_to(board, board.goals, pull=False, heights=slope - _highest_end(board, slope))
            promise = _promise(board, costs)
            if promise > most:
                best, most = costs, promise
    return best


def _promise(board: Board, costs: Costs) -> int:
    """Return the lower bound of the moves from the start if each box may be pushed from any side."""
    count = len(board.boxes)
    matching = matching_for(count)
    rows = costs.row.reshape(-1, 4)[board.boxes]
    for at in range(count):
        matching.costs[at] = costs.pushes[rows[at][rows[at] >= 0]].min(axis=0)
    return int(assign(matching, count)) + int(costs.heights[board.player])


def _highest_end(board: Board, heights: Table) -> int:
    """Return the greatest height of a square next to a goal."""
    beside = board.neighbours[board.goals].ravel()
    return int(heights[beside[beside < board.size]].max())


def _distances(board: Board, centre: list[int]) -> Table:
    """Return int32[n+1]: the player's steps from the nearest square of *centre*, ignoring boxes."""
    away = np.zeros(board.size + 1, np.int32)
    beside = board.neighbours.tolist()
    seen = {*centre, board.size}
    todo = list(centre)
    for here in todo:
        for there in beside[here]:
            if there not in seen:
                seen.add(there)
                away[there] = away[here] + 1
                todo.append(there)
    return away
