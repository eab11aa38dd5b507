"""Greedy bidirectional search: pulls from the goals and pushes from the start, each side from two queues in turn.

One queue is in order of the matching cost. The other takes states with something new first: a box on a square, or boxes
on two squares, that no state with this matching cost had before (best-first width search: Lipovetzky and Geffner,
AAAI 2017). States are small and use no other knowledge, which solves small levels in milliseconds. Each side looks up
its states in the other's hash table. A side without states left has searched everything that sound tests do not prune:
then the level is unsolvable.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inlined, kernel
from solvers.sokoban.solving.deadlocks.corrals import Corrals, corrals_for
from solvers.sokoban.solving.deadlocks.dead_pairs import DeadPairs, has_lost_partner
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
COST, NOVELTY = 0, 1  # the queues of a side
MOST_COST = 2048  # higher matching costs share a bucket
NEW_SQUARE, NEW_PAIR, NOTHING_NEW = range(3)  # how new a state is: the second queue's order, by cost among equals
BUCKETS = 3 * MOST_COST  # of a queue; that by cost uses only the first third
SEEN = 4_194_301  # a prime, for a hash table without keys: after a collision a state only looks less new


class Side(NamedTuple):
    """The states of one side: *boxes* int16[rows, k]; by row *stand*, *source*, *target* int16, *via* int32, *key*,
    *boxes_key* uint64, *waits* uint8: 1 until it is expanded. *heads* int32[2, BUCKETS]: for both queues the newest
    state of each bucket (-1: none), *next* int32[2, rows] the one before. *places* int32 and *keys* uint64: hash
    table. *seen* uint8[SEEN]: 1 for each hash of a matching cost and one or two squares seen with it. *counts*
    int64[3]: states, and for both queues the least bucket that may hold one that waits.
    """

    boxes: Table
    stand: Table
    source: Table
    target: Table
    via: Table
    next: Table
    key: Table
    boxes_key: Table
    waits: Table
    heads: Table
    places: Table
    keys: Table
    seen: Table
    counts: Table


def side_for(board: Board, rows: int) -> Side:
    """Allocate *rows* states, a power of two."""
    squares = [np.zeros(rows, np.int16) for _ in range(3)]
    links = np.full(rows, -1, np.int32), np.full((2, rows), -1, np.int32)
    names = [np.zeros(rows, np.uint64) for _ in range(2)]
    heads = np.full((2, BUCKETS), -1, np.int32)
    table = np.full(2 * rows, EMPTY, np.int32), np.zeros(2 * rows, np.uint64)
    boxes = np.zeros((rows, len(board.boxes)), np.int16)
    waits, seen = np.zeros(rows, np.uint8), np.zeros(SEEN, np.uint8)
    return Side._make([boxes, *squares, *links, *names, waits, heads, *table, seen, np.zeros(3, np.int64)])


class Greedy(NamedTuple):
    """Tables shared by both sides; *met* int64[2] receives the common state's number on either side."""

    board: Board
    work: Work
    walls: Walls
    corrals: Corrals
    pairs: DeadPairs
    matching: Matching
    scratch: Matching
    met: Table


def greedy_for(board: Board, pairs: DeadPairs) -> Greedy:
    """Allocate the tables."""
    count = len(board.boxes)
    matching = matching_for(count)
    return Greedy(
        board, work_for(board, count), walls_for(board), corrals_for(board.size), pairs, matching,
        matching_for(count)._replace(costs=matching.costs), np.zeros(2, np.int64),
    )  # fmt: skip


@kernel
def step(greedy: Greedy, side: Side, other: Side, pull: bool, turns: int) -> int:  # noqa: FBT001
    """Expand *turns* states of one side; return GOING, or why it stopped."""
    board, work, matching = greedy.board, greedy.work, greedy.matching
    count = board.boxes.shape[0]
    targets = board.boxes if pull else board.goals
    status = GOING
    for turn in range(turns):
        state = _take(side, turn % 2)
        if state < 0:
            status = EXHAUSTED
            break
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
            _put(side, turn % 2, side.counts[1 + turn % 2], state)
        if status != GOING:
            break
    return status


@inlined
def _take(side: Side, queue: int) -> int:
    """Remove and return the first state that waits in a queue; -1 if none does."""
    heads, waits = side.heads, side.waits
    bucket = side.counts[1 + queue]
    state = -1
    while bucket < BUCKETS and state < 0:
        state = heads[queue, bucket]
        if state < 0:
            bucket += 1
        else:
            heads[queue, bucket] = side.next[queue, state]
            if waits[state] == 0:  # it was expanded from the other queue
                state = -1
    side.counts[1 + queue] = bucket
    if state >= 0:
        waits[state] = 0
    return state


@kernel
def _put(side: Side, queue: int, bucket: int, state: int) -> None:
    """Add a state to a bucket of a queue."""
    side.waits[state] = 1
    side.next[queue, state] = side.heads[queue, bucket]
    side.heads[queue, bucket] = state
    side.counts[1 + queue] = min(side.counts[1 + queue], bucket)


@inlined
def _newest(side: Side, boxes: Table, target: int, distance: int, size: int) -> int:
    """Return how new a state with matching cost *distance* is after a box moved to *target*, and mark it as seen."""
    seen = side.seen
    newest = NOTHING_NEW
    for box in range(boxes.shape[0]):
        here = np.int64(boxes[box])
        number = ((distance * size + target) * size + here) % SEEN
        if seen[number] == 0:
            seen[number] = 1
            newest = min(newest, NEW_SQUARE if here == target else NEW_PAIR)
    return newest


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
    marks = greedy.pairs.born if pull else greedy.pairs.alive
    if has_lost_partner(greedy.pairs, marks, boxes, count, target, np.int64(moves.stand[move])):
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
    cost = min(distance, MOST_COST - 1)
    _put(side, COST, cost, new)
    _put(side, NOVELTY, _newest(side, boxes, target, distance, board.size) * MOST_COST + cost, new)
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
    """A greedy search of one level that is not solved at its start, with at most *most* states per side."""

    def __init__(self, board: Board, pairs: DeadPairs, most: int) -> None:
        self.board, self.most = board, most
        count = len(board.boxes)
        self.status = GOING
        self._greedy = greedy_for(board, pairs)
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
            for queue in (COST, NOVELTY):
                _put(side, queue, min(distance, MOST_COST - 1), row)

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
        for name in ("boxes", "stand", "source", "target", "via", "key", "boxes_key", "waits"):
            getattr(grown, name)[: len(side.key)] = getattr(side, name)
        grown.next[:, : len(side.key)] = side.next
        grown.heads[:], grown.counts[:] = side.heads, side.counts
        grown = grown._replace(seen=side.seen)
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
