"""Greedy bidirectional search: pulls from the goals and pushes from the start, in order of the matching cost.

States are small and use no knowledge except the matching, which solves small levels in milliseconds. Each side looks up
its states in the other's hash table. A side without states left has searched everything that sound tests do not prune:
then the level is unsolvable.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inlined, kernel
from solvers.sokoban.solving.deadlocks.corrals import Corrals, corrals_for
from solvers.sokoban.solving.deadlocks.freezing import Walls, freeze, walls_for
from solvers.sokoban.solving.deadlocks.inward import keep_inward
from solvers.sokoban.solving.floor.floods import regions, zone_key
from solvers.sokoban.solving.floor.macros import Work, macro_moves, put_boxes, work_for
from solvers.sokoban.solving.floor.matching import Matching, assign, goal_costs, matching_for, rematch
from solvers.sokoban.solving.floor.routes import MacroMove
from solvers.sokoban.solving.floor.tables import copy
from solvers.sokoban.solving.searching.tree import EMPTY, find, refill

GOING, MET, FULL, EXHAUSTED = range(4)  # results of `step`
PULLS, PUSHES = 0, 1  # the sides
PULL_TURNS = 3  # pull turns per push turn
BUCKETS = 4096


class Side(NamedTuple):
    """The states of one side: *boxes* int16[rows, k]; by row *stand*, *source*, *target* int16, *via*, *next* int32.

    *key*, *boxes_key* uint64. *heads* int32[BUCKETS]: the newest state of each distance (-1: none), *next* the one
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
    """Allocate *rows* states, a power of two."""
    squares = [np.zeros(rows, np.int16) for _ in range(3)]
    links = [np.full(rows, -1, np.int32) for _ in range(2)]
    names = [np.zeros(rows, np.uint64) for _ in range(2)]
    heads = np.full(BUCKETS, -1, np.int32)
    table = np.full(2 * rows, EMPTY, np.int32), np.zeros(2 * rows, np.uint64)
    boxes = np.zeros((rows, len(board.boxes)), np.int16)
    return Side._make([boxes, *squares, *links, *names, heads, *table, np.zeros(3, np.int64)])


class Greedy(NamedTuple):
    """Tables shared by both sides; *met* int64[2] receives the common state's number on either side."""

    board: Board
    work: Work
    walls: Walls
    corrals: Corrals
    matching: Matching
    scratch: Matching
    met: Table


def greedy_for(board: Board) -> Greedy:
    """Allocate the tables."""
    count = len(board.boxes)
    matching = matching_for(count)
    return Greedy(
        board, work_for(board, count), walls_for(board), corrals_for(board.size), matching,
        matching_for(count)._replace(costs=matching.costs), np.zeros(2, np.int64),
    )  # fmt: skip


@kernel
def step(greedy: Greedy, side: Side, other: Side, pull: bool, turns: int) -> int:  # noqa: FBT001
    """Expand *turns* states of one side; return GOING, or why it stopped."""
    board, work, matching = greedy.board, greedy.work, greedy.matching
    heads, counts = side.heads, side.counts
    count = board.boxes.shape[0]
    targets = board.boxes if pull else board.goals
    status = GOING
    for _ in range(turns):
        bucket = counts[1]
        while bucket < BUCKETS and heads[bucket] < 0:
            bucket += 1
        counts[1] = bucket
        if bucket == BUCKETS:
            status = EXHAUSTED
            break
        state = np.int64(heads[bucket])
        heads[bucket] = side.next[state]
        counts[2] += 1
        boxes = side.boxes[state]
        put_boxes(board.size, work.blocked, boxes, count)
        goal_costs(board.distances, boxes, targets, count, pull, matching.costs)
        assign(matching, count)
        moves = macro_moves(board, work, boxes, count, np.int64(side.stand[state]), pull)
        if not pull:
            moves = keep_inward(board, work, greedy.corrals, moves)
        for move in range(moves):
            status = _add_child(greedy, side, other, pull, state, move)
            if status != GOING:
                break
        if status == FULL:  # queue the state again for its other children after the tables have grown
            side.next[state] = heads[bucket]
            heads[bucket] = state
        if status != GOING:
            break
    return status


@inlined
def _add_child(greedy: Greedy, side: Side, other: Side, pull: bool, state: int, move: int) -> int:  # noqa: FBT001
    """Add the state after a move of *state*, if it is new and not lost; return FULL, MET or GOING."""
    board, moves, places, keys, counts = greedy.board, greedy.work.moves, side.places, side.keys, side.counts
    source, target, row = np.int64(moves.source[move]), np.int64(moves.target[move]), np.int64(moves.box[move])
    boxes_key = side.boxes_key[state] ^ board.box_keys[source] ^ board.box_keys[target]
    key = boxes_key ^ moves.zone[move]
    at = find(places, keys, key)
    if at >= 0:
        return GOING
    new = counts[0]
    if new == side.key.shape[0]:
        return FULL
    boxes, count = side.boxes[new], board.boxes.shape[0]
    copy(side.boxes[state], boxes)
    boxes[row] = target
    if not pull and freeze(board.neighbours, board.dead, board.goal, boxes, count, greedy.walls.frozen) < 0:
        return GOING
    distance = _distance_with(greedy, count, row, source, target, pull)
    if distance >= FAR:
        return GOING
    places[-1 - at] = new
    keys[-1 - at] = key
    side.key[new] = key
    side.boxes_key[new] = boxes_key
    side.stand[new] = moves.stand[move]
    side.source[new] = source
    side.target[new] = target
    side.via[new] = state
    counts[0] += 1
    place = min(distance, BUCKETS - 1)
    side.next[new] = side.heads[place]
    side.heads[place] = new
    counts[1] = min(counts[1], place)
    met = find(other.places, other.keys, key)
    if met >= 0:
        greedy.met[0] = new
        greedy.met[1] = other.places[met]
    return MET if met >= 0 else GOING


@inlined
def _distance_with(greedy: Greedy, count: int, row: int, source: int, target: int, pull: bool) -> int:  # noqa: FBT001
    """Return the minimum matching cost after box number *row* moves from *source* to *target*."""
    distances, costs = greedy.board.distances, greedy.matching.costs
    targets = greedy.board.boxes if pull else greedy.board.goals
    for column in range(count):
        costs[row, column] = distances[targets[column], target] if pull else distances[target, targets[column]]
    distance = rematch(greedy.matching, greedy.scratch, count, row)
    for column in range(count):
        costs[row, column] = distances[targets[column], source] if pull else distances[source, targets[column]]
    return distance


class GreedyRun:
    """A greedy search of one level, with at most *most* states per side."""

    def __init__(self, board: Board, most: int) -> None:
        self.board, self.most = board, most
        count = len(board.boxes)
        self.status = GOING
        self._greedy = greedy_for(board)
        self._sides = [side_for(board, 1 << 12), side_for(board, 1 << 12)]
        self._finished = PULLS
        work = self._greedy.work
        put_boxes(board.size, work.blocked, board.goals, count)
        mark = work.mark
        zones = regions(board.size, board.neighbours, work.blocked, mark, work.queue)
        stands = [int(np.flatnonzero(mark[: board.size] == zone)[0]) for zone in range(1, zones + 1)]
        for stand in stands:
            self._add_root(PULLS, board.goals, stand)
        self._add_root(PUSHES, board.boxes, board.player)

    def _add_root(self, number: int, boxes: Table, stand: int) -> None:
        board, work, side = self.board, self._greedy.work, self._sides[number]
        put_boxes(board.size, work.blocked, boxes, len(boxes))
        work.mark[:] = 0
        boxes_key = np.bitwise_xor.reduce(board.box_keys[boxes])
        zone = np.uint64(zone_key(board.neighbours, work.blocked, stand, board.zone_keys, work.mark, 1, work.queue))
        work.mark[:] = 0
        row = int(side.counts[0])
        targets = board.boxes if number == PULLS else board.goals
        goal_costs(board.distances, boxes, targets, len(boxes), number == PULLS, self._greedy.matching.costs)
        distance = int(assign(self._greedy.matching, len(boxes)))
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
        """Number of states stored."""
        return int(sum(side.counts[0] for side in self._sides))

    def run(self, turns: int = 100) -> int:
        """Expand some states on both sides; return GOING, or why it stopped. EXHAUSTED proves the level unsolvable."""
        for number, share in ((PULLS, PULL_TURNS * turns), (PUSHES, turns)):
            if self.status != GOING:
                break
            side, other = self._sides[number], self._sides[1 - number]
            self.status = step(self._greedy, side, other, number == PULLS, share)
            self._finished = number
            if self.status == FULL and 2 * len(side.key) <= self.most:
                self._grow(number)
                self.status = GOING
        return self.status

    def _grow(self, number: int) -> None:
        side = self._sides[number]
        grown = side_for(self.board, 2 * len(side.key))
        for name in ("boxes", "stand", "source", "target", "via", "next", "key", "boxes_key"):
            getattr(grown, name)[: len(side.key)] = getattr(side, name)
        grown.heads[:], grown.counts[:] = side.heads, side.counts
        refill(side.places, side.keys, grown.places, grown.keys)
        self._sides[number] = grown

    def macros(self) -> list[MacroMove]:
        """Return the path found, after MET."""
        ids = {self._finished: int(self._greedy.met[0]), 1 - self._finished: int(self._greedy.met[1])}
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
