"""Advisors: each may propose one move of a state, which then gets weight 0.

No proposal may lower the number of packed plan steps. After Shoham and Schaeffer (IEEE CoG 2020).
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.floor.floods import flood
from solvers.sokoban.solving.floor.macros import Work
from solvers.sokoban.solving.floor.tables import stamp
from solvers.sokoban.solving.searching.options import O_MODE
from solvers.sokoban.solving.searching.scoring import (
    F_CUT,
    F_HOT,
    F_OUTSIDE,
    F_PACKED,
    F_REGIONS,
    PLAN,
    REMOVE,
    Scoring,
)

# packing: packs more, or scores best if boxes are removed. connecting: fewer regions. opening ways: fewer cut.
# clearing: moves off squares that the plan needs empty. making room: moves away the box nearest to the next square, if
# nothing can be packed. yielding: fewer boxes in the way of others. exploring: lets the player reach a box that could
# not be pushed. improving: the best score.
(A_PACK, A_CONNECT, A_ROOMS, A_CLEAR, A_MAKE_ROOM, A_YIELD, A_EXPLORE, A_IMPROVE) = range(8)


class Advice(NamedTuple):
    """The proposals so far: *edge* int64[8] (-1: none), *value* int64[8] (greatest wins). *zone* uint8[n+1] is the
    player's zone before the move; *boxes* int16[k] are those of the current child."""

    edge: Table
    value: Table
    zone: Table
    boxes: Table


def advice_for(board: Board) -> Advice:
    """Allocate the tables."""
    arrays = np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(board.size + 1, np.uint8)
    return Advice(*arrays, np.zeros(max(len(board.boxes), 1), np.int16))


@inner
def clear_advice(neighbours: Table, work: Work, advice: Advice, stand: int, own: int) -> None:
    """Reset for a state: mark the player's zone; only a score above the state's *own* counts as an improvement."""
    for at in range(8):
        advice.edge[at] = -1
        advice.value[at] = -(1 << 62)
    advice.value[A_IMPROVE] = own
    mark, zone = work.mark, advice.zone
    seen = stamp(mark)
    flood(neighbours, work.blocked, stand, mark, seen, work.queue)
    for square in range(neighbours.shape[0] - 1):
        zone[square] = mark[square] == seen


@inner
def _propose(advice: Advice, advisor: int, edge: int, value: int) -> None:
    if value > advice.value[advisor]:
        advice.value[advisor] = value
        advice.edge[advisor] = edge


@inner
def advise(
    board: Board, scoring: Scoring, work: Work, advice: Advice, options: Table, edge: int, move: int, score: int
) -> None:
    """Let every advisor consider one *move*, number *edge* in the tree; `work.blocked` shows the board after it."""
    mode, now, then = options[O_MODE], scoring.features.now, scoring.features.then
    _propose(advice, A_IMPROVE, edge, score)
    if mode in (REMOVE, PLAN) and then[F_PACKED] >= now[F_PACKED]:
        if mode == REMOVE or then[F_PACKED] > now[F_PACKED]:
            _propose(advice, A_PACK, edge, score)
        if then[F_REGIONS] < now[F_REGIONS]:
            _propose(advice, A_CONNECT, edge, score)
        if then[F_CUT] < now[F_CUT]:
            _propose(advice, A_ROOMS, edge, score)
        if mode == PLAN:
            if then[F_HOT] < now[F_HOT] and then[F_REGIONS] <= now[F_REGIONS]:
                _propose(advice, A_YIELD, edge, score)
            _advise_plan(board, scoring, work, advice, edge, move, score)


@inner
def _advise_plan(board: Board, scoring: Scoring, work: Work, advice: Advice, edge: int, move: int, score: int) -> None:
    """Let the advisors that use the plan consider one move."""
    guide, now, then = scoring.guide, scoring.features.now, scoring.features.then
    source, target = np.int64(work.moves.source[move]), np.int64(work.moves.target[move])
    packed = now[F_PACKED]
    reversible = board.distances[target, source] < FAR
    if then[F_REGIONS] <= now[F_REGIONS] and then[F_CUT] <= now[F_CUT] and packed < guide.walks.shape[0] - 1:
        before, after = guide.walks[packed, source], guide.walks[packed, target]
        nearest_first = (FAR - before) * (1 << 22) + after
        clears = now[F_OUTSIDE] > 0 and then[F_OUTSIDE] <= now[F_OUTSIDE] and reversible
        if clears and guide.outside[packed, source] and after > before:
            _propose(advice, A_CLEAR, edge, nearest_first)
        if after >= before:
            _propose(advice, A_MAKE_ROOM, edge, nearest_first)
    may_explore = reversible and score > advice.value[A_EXPLORE]
    if may_explore and _opens(board, work, advice.zone, source, target, np.int64(work.moves.stand[move])):
        _propose(advice, A_EXPLORE, edge, score)


@inner
def _opens(board: Board, work: Work, zone: Table, source: int, target: int, stand: int) -> bool:
    """Return whether the player can now push another box from a side that was out of reach before."""
    size, neighbours, dead, blocked, mark = board.size, board.neighbours, board.dead, work.blocked, work.mark
    touches = False
    for side in range(4):
        there = neighbours[source, side]
        if blocked[there] == 0 and zone[there] == 0:
            touches = True
    if not touches:
        return False
    seen = stamp(mark)
    flood(neighbours, blocked, stand, mark, seen, work.queue)
    for square in range(size):
        if mark[square] != seen or zone[square] or square == source:
            continue
        for side in range(4):
            box = neighbours[square, side]
            if box != size and box != target and blocked[box]:
                beyond = neighbours[box, side]
                if blocked[beyond] == 0 and dead[beyond] == 0:
                    return True
    return False


@inner
def follow_advice(advice: Advice, weights: Table, weight: int, mode: int) -> None:
    """Give the proposed moves the weight of their state."""
    if mode not in (REMOVE, PLAN):
        if advice.edge[A_IMPROVE] >= 0:
            weights[advice.edge[A_IMPROVE]] = weight
        return
    for advisor in range(A_IMPROVE):
        if advice.edge[advisor] >= 0 and (advisor != A_MAKE_ROOM or advice.edge[A_PACK] < 0):
            weights[advice.edge[advisor]] = weight
