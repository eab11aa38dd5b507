"""Greedy search from both ends: pulls from the goals and pushes from the start, nearest by matching first.

Many small states and no knowledge but the matching: what solves small levels in milliseconds. Each side meets the
other in its hash table. A side that runs out of states has seen all there are, less what sound tests cut: then nothing
solves the level.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, kernel
from solvers.sokoban.solving.deadlocks.corrals import Corrals, corrals_for
from solvers.sokoban.solving.deadlocks.freezing import Walls, freeze, walls_for
from solvers.sokoban.solving.deadlocks.inward import keep_inward
from solvers.sokoban.solving.floor.floods import regions, zone_key
from solvers.sokoban.solving.floor.macros import Work, macro_moves, put_boxes, work_for
from solvers.sokoban.solving.floor.matching import Matching, assign, goal_costs, matching_for, rematch
from solvers.sokoban.solving.floor.routes import MacroMove
from solvers.sokoban.solving.searching.tree import EMPTY, find, refill

GOING, MET, FULL, EXHAUSTED = range(4)  # what `step` says
PULLS, PUSHES = 0, 1  # the sides
PULL_TURNS = 3  # to one of the pushes
BUCKETS = 4096


class Side(NamedTuple):
    """The states of one side: *boxes* int16[rows, k]; by row *stand*, *source*, *target* int16, *via*, *next* int32.

    *key*, *boxes_key* uint64. *heads* int32[BUCKETS]: the state of each distance found last (-1: none), *next* the one
    before. *places* int32 and *keys* uint64: hash table. *counts* int64[3]: states, least bucket that may hold one,
    expanded.
    """

    boxes: Table
    stand: Table
    source: Table
    target: Table
    via: Table
    next: Table
    key: Table
    boxes_key: Table
    heads: Table
    places: Table
    keys: Table
    counts: Table


def side_for(board: Board, rows: int) -> Side:
    """Make room for *rows* states, a power of two."""
    squares = [np.zeros(rows, np.int16) for _ in range(3)]
    links = [np.full(rows, -1, np.int32) for _ in range(2)]
    names = [np.zeros(rows, np.uint64) for _ in range(2)]
    heads = np.full(BUCKETS, -1, np.int32)
    table = np.full(2 * rows, EMPTY, np.int32), np.zeros(2 * rows, np.uint64)
    boxes = np.zeros((rows, len(board.boxes)), np.int16)
    return Side._make([boxes, *squares, *links, *names, heads, *table, np.zeros(3, np.int64)])


@kernel
def step(
    board: Board, work: Work, walls: Walls, corrals: Corrals, matching: Matching, scratch: Matching, side: Side,
    other: Side, pull: bool, turns: int, met: Table,  # noqa: FBT001
) -> int:  # fmt: skip
    """Expand *turns* states of one side; return GOING, or why it stops. *met* becomes the states that are the same."""
    count = board.boxes.shape[0]
    targets = board.boxes if pull else board.goals
    for _ in range(turns):
        bucket = side.counts[1]
        while bucket < BUCKETS and side.heads[bucket] < 0:
            bucket += 1
        side.counts[1] = bucket
        if bucket == BUCKETS:
            return EXHAUSTED
        state = side.heads[bucket]
        side.heads[bucket] = side.next[state]
        side.counts[2] += 1
        boxes = side.boxes[state]
        put_boxes(board.size, work.blocked, boxes, count)
        goal_costs(board.distances, boxes, targets, count, pull, matching.costs)
        assign(matching, count)
        moves = macro_moves(board, work, boxes, count, side.stand[state], pull)
        if not pull:
            moves = keep_inward(board, work.blocked, work.mark, work.moves, corrals, moves)
        for move in range(moves):
            source, target = work.moves.source[move], work.moves.target[move]
            boxes_key = side.boxes_key[state] ^ board.box_keys[source] ^ board.box_keys[target]
            key = boxes_key ^ work.moves.zone[move]
            at = find(side.places, side.keys, key)
            if at >= 0:
                continue
            new = side.counts[0]
            if new == side.key.shape[0]:
                # The state waits for its other children until the tables have grown.
                side.next[state] = side.heads[bucket]
                side.heads[bucket] = state
                return FULL
            row = work.moves.box[move]
            for box in range(count):
                side.boxes[new, box] = boxes[box]
            side.boxes[new, row] = target
            if not pull and freeze(board.neighbours, board.dead, board.goal, side.boxes[new], count, walls.frozen) < 0:
                continue
            for column in range(count):
                if pull:
                    matching.costs[row, column] = board.distances[targets[column], target]
                else:
                    matching.costs[row, column] = board.distances[target, targets[column]]
            distance = rematch(matching, scratch, count, row)
            for column in range(count):
                if pull:
                    matching.costs[row, column] = board.distances[targets[column], source]
                else:
                    matching.costs[row, column] = board.distances[source, targets[column]]
            if distance >= FAR:
                continue
            side.places[-1 - at] = new
            side.keys[-1 - at] = key
            side.key[new] = key
            side.boxes_key[new] = boxes_key
            side.stand[new] = work.moves.stand[move]
            side.source[new] = source
            side.target[new] = target
            side.via[new] = state
            side.counts[0] += 1
            place = min(distance, BUCKETS - 1)
            side.next[new] = side.heads[place]
            side.heads[place] = new
            side.counts[1] = min(side.counts[1], place)
            at = find(other.places, other.keys, key)
            if at >= 0:
                met[0] = new
                met[1] = other.places[at]
                return MET
    return GOING


class GreedyRun:
    """A greedy search of one level, of at most *most* states a side."""

    def __init__(self, board: Board, most: int) -> None:
        self.board, self.most = board, most
        count = len(board.boxes)
        self.said = GOING
        self._work, self._walls = work_for(board, count), walls_for(board)
        self._corrals, self._matching = corrals_for(board.size), matching_for(count)
        self._scratch = matching_for(count)._replace(costs=self._matching.costs)
        self._sides = [side_for(board, 1 << 12), side_for(board, 1 << 12)]
        self._met = np.zeros(2, np.int64)
        self._finished = PULLS
        put_boxes(board.size, self._work.blocked, board.goals, count)
        mark = self._work.mark
        zones = regions(board.size, board.neighbours, self._work.blocked, mark, self._work.queue)
        stands = [int(np.flatnonzero(mark[: board.size] == zone)[0]) for zone in range(1, zones + 1)]
        for stand in stands:
            self._add_root(PULLS, board.goals, stand)
        self._add_root(PUSHES, board.boxes, board.player)

    def _add_root(self, number: int, boxes: Table, stand: int) -> None:
        board, work, side = self.board, self._work, self._sides[number]
        put_boxes(board.size, work.blocked, boxes, len(boxes))
        work.mark[:] = 0
        boxes_key = np.bitwise_xor.reduce(board.box_keys[boxes])
        zone = np.uint64(zone_key(board.neighbours, work.blocked, stand, board.zone_keys, work.mark, 1, work.queue))
        work.mark[:] = 0
        row = int(side.counts[0])
        targets = board.boxes if number == PULLS else board.goals
        goal_costs(board.distances, boxes, targets, len(boxes), number == PULLS, self._matching.costs)
        distance = int(assign(self._matching, len(boxes)))
        if distance >= FAR:
            return
        if row + 1 >= len(side.key):
            self._grow(number)
            side = self._sides[number]
        side.boxes[row], side.stand[row] = boxes, stand
        side.key[row], side.boxes_key[row] = boxes_key ^ zone, boxes_key
        at = find(side.places, side.keys, side.key[row])
        if at < 0:
            side.places[-1 - at], side.keys[-1 - at] = row, side.key[row]
            side.counts[0] += 1
            place = min(distance, BUCKETS - 1)
            side.next[row] = side.heads[place]
            side.heads[place] = row

    @property
    def states(self) -> int:
        """States stored."""
        return int(sum(side.counts[0] for side in self._sides))

    def run(self, turns: int = 100) -> int:
        """Expand some states on both sides; return GOING, or why it stops: EXHAUSTED proves the level unsolvable."""
        for number, share in ((PULLS, PULL_TURNS * turns), (PUSHES, turns)):
            if self.said != GOING:
                break
            side, other = self._sides[number], self._sides[1 - number]
            self.said = step(
                self.board, self._work, self._walls, self._corrals, self._matching, self._scratch, side, other,
                number == PULLS, share, self._met,
            )  # fmt: skip
            self._finished = number
            if self.said == FULL and 2 * len(side.key) <= self.most:
                self._grow(number)
                self.said = GOING
        return self.said

    def _grow(self, number: int) -> None:
        side = self._sides[number]
        grown = side_for(self.board, 2 * len(side.key))
        for name in ("boxes", "stand", "source", "target", "via", "next", "key", "boxes_key"):
            getattr(grown, name)[: len(side.key)] = getattr(side, name)
        grown.heads[:], grown.counts[:] = side.heads, side.counts
        refill(side.places, side.keys, grown.places, grown.keys)
        self._sides[number] = grown

    def macros(self) -> list[MacroMove]:
        """The way found, after MET."""
        ids = {self._finished: int(self._met[0]), 1 - self._finished: int(self._met[1])}
        pulls, pushes = self._sides
        macros = []
        at = ids[PUSHES]
        while pushes.via[at] >= 0:
            macros.append(MacroMove(int(pushes.source[at]), int(pushes.target[at]), int(pushes.stand[at])))
            at = int(pushes.via[at])
        macros.reverse()
        at = ids[PULLS]
        while pulls.via[at] >= 0:
            before = int(pulls.via[at])
            macros.append(MacroMove(int(pulls.target[at]), int(pulls.source[at]), int(pulls.stand[before])))
            at = before
        return macros
