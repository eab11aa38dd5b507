"""Heights of the floor, which let a bound of the pushes count ways back besides.

Let every square have a height, neighbours differing by one at most, and let a step cost 1 and what it gains in height:
0, 1 or 2. What the steps of a solution cost is then its moves, and the height of its last square less that of its
first. So the moves are at least the cheapest matching of boxes and goals, each push at its cost, with the height of the
player's square, if no square where a solution may end is higher than 0. Let the goals lie high, and every push towards
them costs two moves: the other is the way back to the next box, which costs nothing, for it leads down.

It is consistent as the matching itself is: a step changes the bound by one at most. (Bounds by potentials are those of
Pommerening, Helmert, Röger, Seipp: From Non-Negative to General Operator Cost Partitioning, 2015.)
"""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table
from solvers.sokoban.solving.floor.matching import assign, matching_for
from solvers.sokoban.solving.proving.lower_bounds import Costs, costs_to

_MOST_COSTS = 20_000  # squares times goals up to which heights are looked for


def raise_costs(board: Board, images: Table, level: Costs) -> Costs:
    """Return the costs by the heights that promise most at the start, or *level*, those without any, if they do.

    Heights tried are distances to or from one of the squares where goals, boxes and the player are, *images* of a
    square alike (see `symmetries`). Time O(boxes (n + boxes²) boxes).
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
    """What the moves from the start are at least, if each box may be pushed from any side."""
    count = len(board.boxes)
    matching = matching_for(count)
    rows = costs.row.reshape(-1, 4)[board.boxes]
    for at in range(count):
        matching.costs[at] = costs.pushes[rows[at][rows[at] >= 0]].min(axis=0)
    return int(assign(matching, count)) + int(costs.heights[board.player])


def _highest_end(board: Board, heights: Table) -> int:
    """The greatest height of a square from which a goal can be touched."""
    beside = board.neighbours[board.goals].ravel()
    return int(heights[beside[beside < board.size]].max())


def _distances(board: Board, centre: list[int]) -> Table:
    """int32[n+1]: the player's steps from the nearest square of *centre*, without boxes."""
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
