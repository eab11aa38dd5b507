"""Corral search: search the boxes around a closed region separately.

If they can neither let the player in nor all reach goals, there is no solution for any other boxes: removing boxes
only makes a position easier. Verdicts are cached by boxes and zone; there are ten to twenty cache hits per search.
(The idea comes from Damgaard's and Meger's corral deadlock sets and from the searches in Festival.)
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.deadlocks.freezing import freeze
from solvers.sokoban.solving.floor.floods import regions, zone_key
from solvers.sokoban.solving.floor.macros import Work, put_boxes
from solvers.sokoban.solving.floor.tables import stamp

MOST_STATES = 2_000  # per search
OPEN, DEAD, EXCEEDED = 0, 1, 2  # verdicts; values from EXCEEDED on count how often the corral was requested again
ASK_AGAIN = 40  # an inconclusive search is repeated once, with ten times the limit, at this request
GIVEN_UP = ASK_AGAIN + 1

K_ENTRIES, K_SEARCHES, K_STATES, K_DEAD, _FOUND = range(5)  # _FOUND: states of the current search


class CorralMemory(NamedTuple):
    """Cached verdicts of corral searches, and scratch tables for a search.

    *verdicts* int8[m] (-1: empty) and *keys* uint64[m] are a hash table by boxes and zone. *counts* int64[5], by K_*.
    *region* int32[n+1], *mark* int32[n+2]; *inside* uint8[n+2] by region; *blocked*, *frozen* uint8[n+1]. The states
    of a search: *boxes* int16[MOST_STATES+1, k], *stands* int32, *state_keys* uint64, *slots* int32, their hash table.
    """

    verdicts: Table
    keys: Table
    counts: Table
    region: Table
    mark: Table
    inside: Table
    blocked: Table
    frozen: Table
    boxes: Table
    stands: Table
    state_keys: Table
    slots: Table


def corral_memory_for(board: Board, entries: int = 1 << 20) -> CorralMemory:
    """Allocate a cache of *entries* verdicts, a power of two; no more are added once it is three quarters full."""
    size = board.size
    return CorralMemory(
        np.full(entries, -1, np.int8),
        np.zeros(entries, np.uint64),
        np.zeros(5, np.int64),
        np.zeros(size + 1, np.int32),
        np.zeros(size + 2, np.int32),
        np.zeros(size + 2, np.uint8),
        np.zeros(size + 1, np.uint8),
        np.zeros(size + 1, np.uint8),
        np.zeros((MOST_STATES + 1, max(len(board.boxes), 1)), np.int16),
        np.zeros(MOST_STATES + 1, np.int32),
        np.zeros(MOST_STATES + 1, np.uint64),
        np.full(4 * MOST_STATES, -1, np.int32),
    )


@inner
def slot(memory: CorralMemory, key: int) -> int:
    """Return the index of *key* in the table, or -1 - (the index to insert it)."""
    verdicts, keys = memory.verdicts, memory.keys
    mask = np.int64(verdicts.shape[0] - 1)
    at = np.int64(key & np.uint64(mask))
    while verdicts[at] >= 0 and keys[at] != key:
        at = (at + 1) & mask
    return at if verdicts[at] >= 0 else -1 - at  # type: ignore[return-value]


@inner
def remember(memory: CorralMemory, key: int, verdict: int) -> None:
    """Store a verdict. A nearly full table accepts no new keys."""
    at = slot(memory, key)
    if at >= 0:
        memory.verdicts[at] = verdict
    elif 4 * memory.counts[K_ENTRIES] < 3 * memory.verdicts.shape[0]:
        memory.verdicts[-1 - at] = verdict
        memory.keys[-1 - at] = key
        memory.counts[K_ENTRIES] += 1


@inner
def is_dead_corral(
    board: Board, work: Work, memory: CorralMemory, boxes: Table, count: int, stand: int, limit: int
) -> bool:
    """Return whether the boxes around some corral of the state in `work.blocked` are a deadlock for any other boxes.

    Searches each corral's boxes separately, with at most *limit* states each and at most MOST_STATES.
    """
    region, inside = memory.region, memory.inside
    number = regions(board.size, board.neighbours, work.blocked, region, work.queue)
    player = region[stand]
    is_dead = False
    for first in range(1, number + 1):
        if first == player or is_dead:
            continue
        for at in range(number + 1):
            inside[at] = 0
        inside[first] = 1
        is_dead = _is_dead(board, work, memory, boxes, count, stand, limit)
    memory.counts[K_DEAD] += is_dead
    return is_dead


@inner
def _is_dead(board: Board, work: Work, memory: CorralMemory, boxes: Table, count: int, stand: int, limit: int) -> bool:
    mark, queue = work.mark, work.queue
    kept = _keep_border(board, boxes, count, memory)
    if kept == 0:
        return False
    put_boxes(board.size, memory.blocked, memory.boxes[0], kept)
    zone = stamp(mark)
    key = zone_key(board.neighbours, memory.blocked, stand, board.zone_keys, mark, zone, queue)
    if _is_open(mark, zone, memory.region, memory.inside):
        return False
    for at in range(kept):
        key ^= board.box_keys[memory.boxes[0, at]]
    at = slot(memory, key)
    again = at >= 0
    if again:
        verdict = memory.verdicts[at]
        if verdict == DEAD:
            return True
        if verdict == OPEN or verdict >= GIVEN_UP:
            return False
        memory.verdicts[at] = verdict + 1
        if verdict + 1 < ASK_AGAIN:
            return False
        limit = 10 * limit
    memory.counts[K_SEARCHES] += 1
    found = _exhaust(board, work, memory, kept, key, stand, min(limit, MOST_STATES))
    remember(memory, key, GIVEN_UP if again and found == EXCEEDED else found)
    return found == DEAD


@inner
def _keep_border(board: Board, boxes: Table, count: int, memory: CorralMemory) -> int:
    """Write the boxes next to the corral, diagonally too, as the search's first state; return 0 if all are on goals."""
    neighbours, region, inside, size = board.neighbours, memory.region, memory.inside, board.size
    kept = np.int64(0)
    at_home = 0
    for at in range(count):
        box = boxes[at]
        beside = False
        for side in range(4):
            there = neighbours[box, side]
            if there == size:
                continue
            if region[there] and inside[region[there]]:
                beside = True
            for turn in (1, 3):
                corner = neighbours[there, (side + turn) & 3]
                if corner != size and region[corner] and inside[region[corner]]:
                    beside = True
        if beside:
            memory.boxes[0, kept] = box
            kept += 1
            at_home += board.goal[box]
    return kept if at_home < kept else np.int64(0)  # type: ignore[return-value]


@inner
def _is_open(mark: Table, zone: int, region: Table, inside: Table) -> bool:
    """Return whether the *zone* in *mark* reaches into the corral."""
    size = region.shape[0] - 1
    square = 0
    while square < size and not (mark[square] == zone and region[square] and inside[region[square]]):
        square += 1
    return square < size  # type: ignore[no-any-return]


@inner
def _exhaust(board: Board, work: Work, memory: CorralMemory, kept: int, key: int, stand: int, limit: int) -> int:
    """Search breadth-first by single pushes; return OPEN, DEAD or EXCEEDED. Cache all states of a dead corral.

    A state is dead regardless of the region in question: nothing was opened, so the search was complete.
    """
    neighbours, blocked, states, keys = board.neighbours, memory.blocked, memory.boxes, memory.state_keys
    slots, stands, mark, counts = memory.slots, memory.stands, memory.mark, memory.counts
    for at in range(slots.shape[0]):
        slots[at] = -1
    stands[0] = stand
    keys[0] = key
    slots[np.int64(key % np.uint64(slots.shape[0]))] = 0
    counts[_FOUND] = 1
    verdict = DEAD
    at = 0
    while at < counts[_FOUND] and verdict == DEAD:
        put_boxes(board.size, blocked, states[at], kept)
        here = stamp(mark)
        zone = zone_key(neighbours, blocked, np.int64(stands[at]), board.zone_keys, mark, here, work.queue)
        for number in range(4 * kept):
            moved, side = number >> 2, number & 3
            box = states[at, moved]
            man, target = neighbours[box, side], np.int64(neighbours[box, side ^ 2])
            if man == board.size or mark[man] != here or blocked[target] or board.dead[target]:
                continue
            if _push(board, work, memory, kept, at, moved, target, keys[at] ^ zone) == OPEN:
                verdict = OPEN
            elif counts[_FOUND] >= limit:
                verdict = EXCEEDED
            if verdict != DEAD:
                break
        at += 1
    if verdict == DEAD:
        for number in range(1, counts[_FOUND]):
            remember(memory, keys[number], DEAD)
    counts[K_STATES] += counts[_FOUND]
    return verdict


@inner
def _push(board: Board, work: Work, memory: CorralMemory, kept: int, at: int, moved: int, target: int, key: int) -> int:
    """Push box *moved* of state *at*; return OPEN, DEAD (or already known), or EXCEEDED if it adds a state."""
    blocked, states, slots, keys, mark = memory.blocked, memory.boxes, memory.slots, memory.state_keys, work.mark
    mask, found = slots.shape[0], memory.counts[_FOUND]
    box = np.int64(states[at, moved])
    blocked[box] = 0
    blocked[target] = 1
    zone = stamp(mark)
    key ^= board.box_keys[box] ^ board.box_keys[target]
    key ^= zone_key(board.neighbours, blocked, box, board.zone_keys, mark, zone, work.queue)
    verdict = OPEN if _is_open(mark, zone, memory.region, memory.inside) else EXCEEDED
    place = np.int64(key % np.uint64(mask))
    if verdict == EXCEEDED:
        while slots[place] >= 0 and keys[slots[place]] != key:
            place = np.int64(place + 1 if place + 1 < mask else 0)
        known = slot(memory, key)
        if slots[place] >= 0 or (known >= 0 and memory.verdicts[known] == DEAD):
            verdict = DEAD
    if verdict == EXCEEDED:
        at_home = 0
        for other in range(kept):
            states[found, other] = states[at, other] if other != moved else target
            at_home += board.goal[states[found, other]]
        if at_home == kept:
            verdict = OPEN
        elif freeze(board.neighbours, board.dead, board.goal, states[found], kept, memory.frozen) < 0:
            verdict = DEAD
    if verdict == EXCEEDED:
        slots[place] = found
        keys[found] = key
        memory.stands[found] = box
        memory.counts[_FOUND] += 1
    blocked[box] = 1
    blocked[target] = 0
    return verdict
