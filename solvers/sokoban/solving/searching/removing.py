"""Removal of boxes in a backward search: a box that is back on a start square need not be considered again.

A box may be removed on a square of the largest set of start squares between which boxes can be pushed back and forth,
if the player can reach all of them and the remaining boxes still match the remaining start squares (after Shoham and
Schaeffer's search for a packing order). If a box can be removed, no other moves are tried in that state.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.floor.floods import flood
from solvers.sokoban.solving.floor.macros import Work
from solvers.sokoban.solving.floor.matching import Matching, assign
from solvers.sokoban.solving.floor.tables import stamp
from solvers.sokoban.solving.searching.scoring import Scoring
from solvers.sokoban.solving.searching.tree import States

LEAST_WALK = 6


class Sinks(NamedTuple):
    """Scratch: *listed* int32[k] are the start squares still free, *reaches* uint8[k, k] which reach which.

    *is_sink* uint8[n+1] marks the squares where a box may be removed.
    """

    listed: Table
    reaches: Table
    is_sink: Table


def sinks_for(board: Board) -> Sinks:
    """Allocate the scratch."""
    count = max(len(board.boxes), 1)
    return Sinks(np.zeros(count, np.int32), np.zeros((count, count), np.uint8), np.zeros(board.size + 1, np.uint8))


@inner
def removals(board: Board, scoring: Scoring, work: Work, sinks: Sinks, states: States, state: int, moves: int) -> int:
    """Keep in `work.moves` only moves that remove their box, one per box; return how many. Change nothing if 0.

    A move within one room must be at least LEAST_WALK pushes long: a box that hardly moves says nothing about the
    order.
    """
    listed, is_sink, found, mark, of = sinks.listed, sinks.is_sink, work.moves, work.mark, scoring.rooms.of
    starts, boxes, count = states.starts[state], states.boxes[state], np.int64(states.count[state])
    open_starts = np.int64(0)
    for square in range(board.size):
        if starts[square]:
            listed[open_starts] = square
            open_starts += 1
    _join_starts(board.neighbours, work.blocked, mark, work.queue, sinks, open_starts)
    seen = stamp(mark)
    flood(board.neighbours, work.blocked, np.int64(states.stand[state]), mark, seen, work.queue)
    for square in range(board.size):
        if is_sink[square] and mark[square] != seen:
            return 0
    kept = 0
    last = -1
    for move in range(moves):
        source, target = found.source[move], found.target[move]
        if source == last or is_sink[target] == 0:
            continue
        near = of[source] < 0 or of[target] < 0 or of[source] == of[target]
        if near and board.distances[source, target] < LEAST_WALK and board.distances[target, source] < LEAST_WALK:
            continue
        if not _rest_matches(board, scoring.matching, boxes, count, source, listed, open_starts, target):
            continue
        found.source[kept] = source
        found.target[kept] = target
        found.stand[kept] = found.stand[move]
        found.regions[kept] = found.regions[move]
        found.box[kept] = found.box[move]
        last = source
        kept += 1
    return kept


@inner
def _join_starts(
    neighbours: Table, blocked: Table, mark: Table, queue: Table, sinks: Sinks, count: int
) -> None:  # fmt: skip
    """Mark the largest set of the listed start squares that reach each other by pushes among the boxes."""
    listed, reaches = sinks.listed, sinks.reaches
    for row in range(count):
        start = listed[row]
        for column in range(count):
            reaches[row, column] = 0
        if blocked[start]:
            continue
        seen = stamp(mark)
        queue[0] = start
        mark[start] = seen
        waiting = 1
        at = 0
        while at < waiting:
            here = queue[at]
            at += 1
            for side in range(4):
                there = neighbours[here, side]
                if blocked[there] == 0 and blocked[neighbours[here, side ^ 2]] == 0 and mark[there] != seen:
                    mark[there] = seen
                    queue[waiting] = there
                    waiting += 1
        for column in range(count):
            reaches[row, column] = mark[listed[column]] == seen
    most = 0
    chosen = -1
    for row in range(count):
        joined = 0
        for column in range(count):
            joined += reaches[row, column] & reaches[column, row]
        if joined > most:
            most = joined
            chosen = row
    for square in range(neighbours.shape[0]):
        sinks.is_sink[square] = 0
    if chosen >= 0:
        for column in range(count):
            sinks.is_sink[listed[column]] = reaches[chosen, column] & reaches[column, chosen]


@inner
def _rest_matches(
    board: Board, matching: Matching, boxes: Table, count: int, source: int, listed: Table, starts: int, target: int
) -> bool:
    row = np.int64(0)
    for at in range(count):
        if boxes[at] == source:
            continue
        column = 0
        for start in range(starts):
            if listed[start] != target:
                matching.costs[row, column] = board.distances[listed[start], boxes[at]]
                column += 1
        row += 1
    return row == 0 or assign(matching, row) < FAR
