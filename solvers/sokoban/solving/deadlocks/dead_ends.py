"""Dead ends: positions proved lost by a small search, and the box patterns learned from them.

A promising state may be lost in a way that no local test detects: the player has locked himself in, or two distant
boxes can never leave. A search of some hundred macro moves often proves it. Then boxes are removed one by one as
long as the rest is still proved lost. Removing boxes only makes a position easier, so the rest is lost in every
position that contains it with the player in the same zone. Every new state is checked for such patterns.
(After the pattern searches of Junghanns and Schaeffer, Sokoban: Enhancing general single-agent search methods using
domain knowledge, Artificial Intelligence 129, 2001.)
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inlined, inner
from solvers.sokoban.solving.deadlocks.corral_search import (
    DEAD,
    EXCEEDED,
    OPEN,
    CorralMemory,
    is_dead_corral,
    remember,
    slot,
)
from solvers.sokoban.solving.deadlocks.corrals import Corrals
from solvers.sokoban.solving.deadlocks.dead_pairs import DeadPairs, dead_pairs_for, has_lost_pair
from solvers.sokoban.solving.deadlocks.freezing import Walls, freeze, has_unmatched
from solvers.sokoban.solving.deadlocks.inward import keep_inward
from solvers.sokoban.solving.floor.floods import zone_key
from solvers.sokoban.solving.floor.macros import Work, macro_moves, put_boxes
from solvers.sokoban.solving.floor.tables import stamp

MOST_STATES = 20_000  # per search
MOST_PATTERNS = 2_000
TO_DISTIL = 1_000  # states of a search with one box removed
CORRAL = np.int64(50)  # states of a corral search

N_PATTERNS, N_ASKED, N_DEAD = range(3)


class DeadEnds(NamedTuple):
    """Learned dead-end patterns, and scratch for the searches that find them.

    *patterns* int16[MOST_PATTERNS, k]: the first *sizes* (int32) entries are box squares; the player zones in which
    they are lost are in the corral memory. *counts* int64[3], by N_*. *pattern* int16[k] is scratch. The states of
    a search: *boxes* int16[MOST_STATES+1, k], *stands* int32, *keys* uint64, *slots* int32, their hash table; *blocked*
    uint8[n+1]. *pairs*: the pairs of boxes that are dead ends, known from the start.
    """

    patterns: Table
    sizes: Table
    counts: Table
    pattern: Table
    boxes: Table
    stands: Table
    keys: Table
    slots: Table
    blocked: Table
    pairs: DeadPairs


def dead_ends_for(board: Board) -> DeadEnds:
    """Allocate the tables, without any pattern."""
    count = max(len(board.boxes), 1)
    return DeadEnds(
        np.zeros((MOST_PATTERNS, count), np.int16),
        np.zeros(MOST_PATTERNS, np.int32),
        np.zeros(3, np.int64),
        np.zeros(count, np.int16),
        np.zeros((MOST_STATES + 1, count), np.int16),
        np.zeros(MOST_STATES + 1, np.int32),
        np.zeros(MOST_STATES + 1, np.uint64),
        np.full(4 * MOST_STATES, -1, np.int32),
        np.zeros(board.size + 1, np.uint8),
        dead_pairs_for(board),
    )


class Deadlocks(NamedTuple):
    """Tables of all deadlock tests of one search."""

    board: Board
    work: Work
    walls: Walls
    corrals: Corrals
    memory: CorralMemory
    ends: DeadEnds


@inner
def holds_pattern(board: Board, work: Work, memory: CorralMemory, ends: DeadEnds, stand: int) -> bool:
    """Return whether the state in `work.blocked`, with the player on *stand*, contains a pattern known to be lost."""
    patterns, sizes, blocked, mark, queue = ends.patterns, ends.sizes, work.blocked, work.mark, work.queue
    is_lost = False
    for number in range(ends.counts[N_PATTERNS]):
        size = np.int64(sizes[number])
        at = 0
        while at < size and blocked[patterns[number, at]]:
            at += 1
        if at == size and not is_lost:
            put_boxes(board.size, ends.blocked, patterns[number], size)
            key = zone_key(board.neighbours, ends.blocked, stand, board.zone_keys, mark, stamp(mark), queue)
            for at in range(size):
                key ^= board.box_keys[patterns[number, at]]
            known = slot(memory, key)
            is_lost = known >= 0 and memory.verdicts[known] == DEAD
    return is_lost


@inner
def is_dead_end(deadlocks: Deadlocks, boxes: Table, count: int, stand: int, limit: int) -> bool:
    """Return whether a search of *limit* states, at most MOST_STATES, proves the state lost; if so, learn a pattern.

    Overwrites `work.blocked` and `work.moves`.
    """
    ends = deadlocks.ends
    ends.counts[N_ASKED] += 1
    pattern = ends.pattern
    for at in range(count):
        pattern[at] = boxes[at]
    if _exhaust(deadlocks, count, np.int64(-1), stand, min(limit, MOST_STATES)) != DEAD:
        return False
    ends.counts[N_DEAD] += 1
    kept = count
    for at in range(count - 1, -1, -1):
        if kept == 1:
            break
        if _exhaust(deadlocks, kept, at, stand, min(limit, TO_DISTIL)) == DEAD:
            kept -= 1
            for other in range(at, kept):
                pattern[other] = pattern[other + 1]
    _learn(ends, kept)
    return True


@inner
def _learn(ends: DeadEnds, kept: int) -> None:
    """Store the first *kept* boxes of the pattern, if they are new and there is room."""
    patterns, count = ends.patterns, ends.counts[N_PATTERNS]
    for number in range(count):
        same = ends.sizes[number] == kept
        for at in range(kept):
            same = same and patterns[number, at] == ends.pattern[at]
        if same:
            return
    if count < patterns.shape[0]:
        ends.sizes[count] = kept
        for at in range(kept):
            patterns[count, at] = ends.pattern[at]
        ends.counts[N_PATTERNS] += 1


@inner
def _exhaust(deadlocks: Deadlocks, kept: int, without: int, stand: int, limit: int) -> int:
    """Search breadth-first for a solved state from the first *kept* boxes of the pattern, omitting number *without*.

    Return OPEN, DEAD or EXCEEDED. If there is none, all states of the search are cached as dead.
    """
    board, work, memory, ends = deadlocks.board, deadlocks.work, deadlocks.memory, deadlocks.ends
    states, stands, keys, slots, blocked = ends.boxes, ends.stands, ends.keys, ends.slots, work.blocked
    listed, goal, box_keys = work.moves, board.goal, board.box_keys
    count = np.int64(0)
    at_home = 0
    key = np.uint64(0)
    for at in range(kept):
        if at != without:
            states[0, count] = ends.pattern[at]
            at_home += goal[ends.pattern[at]]
            key ^= box_keys[ends.pattern[at]]
            count += 1
    if at_home == count:
        return OPEN
    mask = 4 * limit
    for at in range(mask):
        slots[at] = -1
    put_boxes(board.size, blocked, states[0], count)
    key ^= zone_key(board.neighbours, blocked, stand, board.zone_keys, work.mark, stamp(work.mark), work.queue)
    keys[0] = key
    stands[0] = stand
    slots[np.int64(key % np.uint64(mask))] = 0
    found = 1
    at = 0
    while at < found:
        put_boxes(board.size, blocked, states[at], count)
        moves = macro_moves(board, work, states[at], count, np.int64(stands[at]), False)  # noqa: FBT003
        moves = keep_inward(board, work, deadlocks.corrals, moves)
        boxes_key = np.uint64(0)
        for box in range(count):
            boxes_key ^= box_keys[states[at, box]]
        for move in range(moves):
            source, target = listed.source[move], listed.target[move]
            key = boxes_key ^ box_keys[source] ^ box_keys[target] ^ listed.zone[move]
            place = np.int64(key % np.uint64(mask))
            while slots[place] >= 0 and keys[slots[place]] != key:
                place = np.int64(place + 1 if place + 1 < mask else 0)
            known = slot(memory, key)
            if slots[place] >= 0 or (known >= 0 and memory.verdicts[known] == DEAD):
                continue
            at_home = 0
            for box in range(count):
                states[found, box] = states[at, box]
            states[found, listed.box[move]] = target
            for box in range(count):
                at_home += goal[states[found, box]]
            if at_home == count:
                return OPEN
            blocked[source] = 0
            blocked[target] = 1
            lost = _is_lost(deadlocks, states[found], count, np.int64(listed.stand[move]))
            blocked[source] = 1
            blocked[target] = 0
            if lost:
                continue
            slots[place] = found
            keys[found] = key
            stands[found] = listed.stand[move]
            found += 1
            if found >= limit:
                return EXCEEDED
        at += 1
    for number in range(found):
        remember(memory, keys[number], DEAD)
    return DEAD


@inlined
def _is_lost(deadlocks: Deadlocks, boxes: Table, count: int, stand: int) -> bool:
    board, work, walls, memory, ends = (
        deadlocks.board, deadlocks.work, deadlocks.walls, deadlocks.memory, deadlocks.ends
    )  # fmt: skip
    return (
        freeze(board.neighbours, board.dead, board.goal, boxes, count, walls.frozen) < 0
        or has_unmatched(board.neighbours, board.goals, work.mark, work.queue, boxes, count, walls)
        or has_lost_pair(ends.pairs, ends.pairs.alive, boxes, count, stand)
        or holds_pattern(board, work, memory, ends, stand)
        or is_dead_corral(board, work, memory, boxes, count, stand, CORRAL)
    )
