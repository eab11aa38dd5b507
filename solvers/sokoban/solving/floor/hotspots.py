"""Hotspots: squares where a box keeps others from goals (Shoham and Schaeffer, The FESS Algorithm, IEEE CoG 2020)."""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.tables import fill

MOST_STEPS = 200_000_000  # squares² times goals; beyond that, a second of work, no box is counted


def hotspots_for(board: Board) -> Table:
    """Return uint8[n+1, n+1]: 1 at [a, b] if a box that stays on *a* keeps a lone box on *b* from some goal.

    Only goals that it could reach otherwise count. The player's side is ignored. Time O(n² * goals).
    """
    size = board.size
    hot = np.zeros((size + 1, size + 1), np.uint8)
    if size * size * len(board.goals) <= MOST_STEPS:
        reached, before = np.zeros(size + 1, np.uint8), np.zeros(size + 1, np.uint8)
        _mark_hotspots(board.neighbours, board.goals, board.dead, hot, reached, before, np.zeros(size + 1, np.int32))
    return hot


@kernel
def _mark_hotspots(
    neighbours: Table, goals: Table, dead: Table, hot: Table, reached: Table, before: Table, queue: Table
) -> None:  # fmt: skip
    size = neighbours.shape[0] - 1
    for number in range(goals.shape[0]):
        goal = np.int64(goals[number])
        _pull_from(neighbours, goal, np.int64(size), before, queue)
        for blocker in range(size):
            if dead[blocker] or blocker == goal:
                continue
            _pull_from(neighbours, goal, np.int64(blocker), reached, queue)
            for square in range(size):
                if before[square] and not reached[square] and square != blocker:
                    hot[blocker, square] = 1


@inner
def _pull_from(neighbours: Table, goal: int, blocker: int, reached: Table, queue: Table) -> None:
    """Mark in *reached* where a lone box can be pulled to from *goal* if *blocker* is a wall (n: no wall)."""
    size = neighbours.shape[0] - 1
    fill(reached, 0)
    reached[goal] = 1
    queue[0] = goal
    waiting, at = 1, 0
    while at < waiting:
        here = queue[at]
        at += 1
        for side in range(4):
            there = neighbours[here, side]
            beyond = neighbours[there, side]
            if size not in (there, beyond) and blocker not in (there, beyond) and reached[there] == 0:
                reached[there] = 1
                queue[waiting] = there
                waiting += 1


@kernel
def boxes_in_the_way(hot: Table, done: Table, boxes: Table, count: int) -> int:
    """Return how many boxes keep another from some goal; boxes on squares marked in *done* count on neither side."""
    in_the_way = 0
    for at in range(count):
        box = boxes[at]
        if done[box] == 0:
            for other in range(count):
                square = boxes[other]
                if hot[box, square] and done[square] == 0:
                    in_the_way += 1
                    break
    return in_the_way
