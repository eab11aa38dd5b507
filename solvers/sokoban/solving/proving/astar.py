"""Kernel of the exact searches: A* over pushes, with one of three costs.

- pushes only: a state is the boxes and the player's zone, identified by its least square;
- pushes, then moves, or moves, then pushes: a state is the boxes and the player's exact square after a push,
  because the walks between pushes count.

All costs are bounded from below by the same matching (`lower_bounds`); moves also by one that includes walks back
(`heights`), pushes also by one that includes conflicts between pairs of boxes (`pairs`). The pair bound is computed
when a state is taken; if it is higher, the state is put back. States are taken in the order of their bound (first
count, then second), where a child is never below its parent, so the first solved state taken is optimal. A state found
again at lower cost is stored again, and the old entry is skipped when it is taken.

Hart, Nilsson, Raphael: A Formal Basis for the Heuristic Determination of Minimum Cost Paths, 1968.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR
from solvers.sokoban.solving.compiling import Table, inlined, inner, kernel
from solvers.sokoban.solving.deadlocks.corrals import LOST, NOTHING, choose_corral
from solvers.sokoban.solving.deadlocks.freezing import freezes
from solvers.sokoban.solving.floor.floods import flood, walk_everywhere
from solvers.sokoban.solving.floor.matching import assign
from solvers.sokoban.solving.floor.tables import copy, fill
from solvers.sokoban.solving.proving.lower_bounds import fill_costs, row_at, sum_with
from solvers.sokoban.solving.proving.open_list import (
    BASE,
    BUCKETS,
    FIRST,
    MOVES_PUSHES,
    OPEN_COUNTERS,
    PUSHES,
    PUSHES_MOVES,
    begin,
    pushes_in,
    put,
    take,
)  # fmt: skip
from solvers.sokoban.solving.proving.pairs import more_pushes
from solvers.sokoban.solving.proving.scratch import Search
from solvers.sokoban.solving.proving.states import (
    MOST_PUSHES,
    find,
    key_of,
    number_in,
    pack,
    put_number,
    replace,
    unpack,
)
from solvers.sokoban.solving.proving.symmetries import image_keys, least_image, man_image, pack_image
from solvers.sokoban.solving.proving.vicinity import is_inside

# Results of a batch and of a push: _NO_CHILD if a test pruned it, GOING_ON if the child is known or stored.
GOING_ON, SOLVED, EXHAUSTED, FULL, TIGHT, TOO_LONG, _NO_CHILD = range(7)
# Indices of the counters after those of the open list.
STORED, EXPANDED, IN_TABLE, STATE, BRANCHES, DEAD_ENDS, _MARK = range(OPEN_COUNTERS, OPEN_COUNTERS + 7)
COUNTERS = OPEN_COUNTERS + 7
_NEVER = 1 << 40  # greater than any cost


class _Parent(NamedTuple):
    """The state being expanded: its player, pushes and moves, key, number of boxes on goals, and matching."""

    man: int
    pushes: int
    moves: int
    key: int
    home: int
    bound: int


@kernel
def plant(search: Search) -> bool:
    """Store the start as state 0 and put it into the open list; return False if its boxes cannot be matched.

    A solved start is not entered into the hash table: it is not a solution, but returning to it is one.
    """
    board, squares, store, scratch, counters = (
        search.board, search.squares, search.store, search.scratch, search.counters
    )  # fmt: skip
    blocked, boxes, row, aim = scratch.blocked, scratch.boxes, scratch.row, search.aim
    count = board.boxes.shape[0]
    for square in range(board.size):
        blocked[square] = 0
    blocked[board.size] = 1
    is_solved = True
    for at in range(count):
        box = board.boxes[at]
        if squares.bit[box] < 0:
            return False
        blocked[box] = 1
        boxes[at] = box
        is_solved = is_solved and board.goal[box] != 0
    man = board.player
    if aim == PUSHES:
        man = flood(board.neighbours, blocked, np.int64(man), scratch.marks, np.int64(1), scratch.queue)
        for square in range(board.size):
            scratch.marks[square] = 0
    fill_costs(board, search.costs, boxes, count, man, scratch.matching)
    bound = assign(scratch.matching, count)
    if bound >= FAR:
        return False
    if aim == MOVES_PUSHES:
        bound += search.costs.heights[man]
    pack(squares, boxes, count, row)
    put_number(row, 4, man)
    put_number(row, 2, 0)
    copy(row, store.rows[0])
    if aim != PUSHES:
        store.moves[0] = 0
    store.link[0] = 0
    if not is_solved:
        key = key_of(board, boxes, count, man)
        search.slots[-1 - find(store, search.slots, row, key)] = 1
        counters[IN_TABLE] = 1
    begin(search.queue, counters, bound)
    counters[STORED] = 1
    counters[STATE] = -1
    return True


@kernel
def advance(search: Search, below_first: int, below_second: int, batch: int) -> int:
    """Expand up to *batch* states; return the result.

    SOLVED: `counters[STATE]` is the best solved state. EXHAUSTED: no solution costs less than (*below_first*,
    *below_second*), the cost of a known solution, or FAR. FULL: no room for more states. TIGHT: the hash table must
    grow. TOO_LONG: a count exceeds its range. `counters[FIRST]` is always a lower bound of the first count. Only one of
    the *images* of a state (see `symmetries`) is stored.
    """
    counters, count = search.counters, search.board.boxes.shape[0]
    room = search.store.rows.shape[0] - 4 * count
    fullest = int(search.slots.shape[0] * 0.85) - 4 * count
    result = GOING_ON
    for _ in range(batch):
        if counters[STORED] >= room:
            result = FULL
        elif counters[IN_TABLE] >= fullest:
            result = TIGHT
        else:
            result = _expand_best(search, below_first, below_second)
        if result != GOING_ON:
            break
    return result


@inlined
def _expand_best(search: Search, below_first: int, below_second: int) -> int:
    """Take the state with the least bound from the open list and expand it."""
    board, store, counters, scratch, aim = search.board, search.store, search.counters, search.scratch, search.aim
    boxes, goal, count = scratch.boxes, board.goal, board.boxes.shape[0]
    state = take(store, search.queue, counters, aim, search.costs.heights, search.costs.dearest)
    if state < 0:
        return EXHAUSTED
    row = store.rows[state]
    unpack(search.squares, row, boxes)
    man, pushes = number_in(row, 4), number_in(row, 2)
    key = key_of(board, boxes, count, man)
    if state > 0 and find(store, search.slots, row, key) != state:
        return GOING_ON  # stale: it was found again at lower cost
    home = np.int64(0)
    for at in range(count):
        home += goal[boxes[at]]
    if state > 0 and home == count:
        counters[STATE] = state
        return SOLVED
    fill_costs(board, search.costs, boxes, count, man, scratch.matching)
    bound = assign(scratch.matching, count)
    if aim != MOVES_PUSHES:
        first = pushes + bound + more_pushes(search.pairs, search.squares.bit, boxes, count, man, scratch.matching)
        if first > counters[FIRST]:  # put it back at its higher bound
            if first < below_first or (first == below_first and aim == PUSHES_MOVES):
                put(store, search.queue, counters, state, first, np.int64(0))
            return GOING_ON
    counters[EXPANDED] += 1
    moves = np.int64(0) if aim == PUSHES else np.int64(store.moves[state])
    copy(row, scratch.parent)
    return _expand(search, _Parent(man, pushes, moves, key, home, bound), below_first, below_second)  # type: ignore[arg-type]


@inlined
def _expand(search: Search, parent: _Parent, below_first: int, below_second: int) -> int:
    """Try all pushes of a state, or only those that open its chosen corral."""
    scratch, bit, counters, aim = search.scratch, search.squares.bit, search.counters, search.aim
    neighbours, blocked, boxes, walked, only = (
        search.board.neighbours, scratch.blocked, scratch.boxes, scratch.walked, scratch.only
    )  # fmt: skip
    count, chosen, result, children = search.board.boxes.shape[0], scratch.corrals.chosen, GOING_ON, 0
    for square in range(search.board.size):
        blocked[square] = 0
    for at in range(count):
        blocked[boxes[at]] = 1
    stamp, corral_size = _walk(search, parent.man)
    for at in range(corral_size):
        only[chosen[at]] = 1
    if search.images.shape[0] > 1:
        image_keys(search.board.box_keys, search.images, boxes, count, scratch.keys)
    for number in range(4 * count if corral_size != LOST else 0):
        at, direction = number >> 2, number & 3
        box = boxes[at]
        target, stand = np.int64(neighbours[box, direction]), neighbours[box, direction ^ 2]
        if (corral_size > 0 and only[box] == 0) or blocked[target] or blocked[stand] or bit[target] < 0:
            continue
        if walked[stand] == stamp if aim == PUSHES else walked[stand] >= 0:
            push_result = _push(search, parent, at, target, np.int64(walked[stand]), below_first, below_second)
            children += push_result != _NO_CHILD
            if push_result == TOO_LONG:
                result = TOO_LONG
                break
    for at in range(corral_size):
        only[chosen[at]] = 0
    counters[BRANCHES] += children
    counters[DEAD_ENDS] += children == 0
    return result


@inlined
def _walk(search: Search, man: int) -> tuple[int, int]:
    """Mark the squares the player can reach: with a stamp if only pushes count, else with the number of steps.

    Return the stamp, and the number of boxes of the corral that must be opened first (see `corrals`).
    """
    board, scratch = search.board, search.scratch
    blocked, walked, queue = scratch.blocked, scratch.walked, scratch.queue
    stamp, corral_size = np.int64(0), np.int64(NOTHING)
    if search.aim == PUSHES:
        stamp = _fresh_mark(search.counters, walked, scratch.marks)  # type: ignore[assignment]
        flood(board.neighbours, blocked, man, walked, stamp, queue)
        corral_size = choose_corral(board, blocked, walked, stamp, scratch.corrals)  # type: ignore[assignment]
    else:
        walk_everywhere(board.neighbours, blocked, man, walked, queue)
    return stamp, corral_size  # type: ignore[return-value]


@inlined
def _push(search: Search, parent: _Parent, at: int, target: int, walk: int, below_first: int, below_second: int) -> int:
    """Push box *at* to *target* after a walk of *walk* steps; store the child if it may lead to a better solution."""
    board, store, scratch, aim = search.board, search.store, search.scratch, search.aim
    blocked, marks, row, counters = scratch.blocked, scratch.marks, scratch.row, search.counters
    box, result, zone = np.int64(scratch.boxes[at]), _NO_CHILD, np.int64(0)
    after = box
    blocked[box] = 0
    blocked[target] = 1
    lost = freezes(board, blocked, target, scratch.cluster, scratch.frozen)
    if aim == PUSHES and not lost:
        zone = _fresh_mark(counters, scratch.walked, marks)  # type: ignore[assignment]
        after = flood(board.neighbours, blocked, box, marks, zone, scratch.queue)  # type: ignore[assignment]
    blocked[box] = 1
    blocked[target] = 0
    boxes_key = parent.key ^ board.zone_keys[parent.man] ^ board.box_keys[box] ^ board.box_keys[target]
    if not lost and is_inside(search.fence, boxes_key):
        pushes, steps = parent.pushes + 1, np.int64(0) if aim == PUSHES else parent.moves + walk + 1
        code = _write_child(search, at, target, after, zone, boxes_key ^ board.zone_keys[after])
        put_number(row, 2, pushes)
        known = find(store, search.slots, row, code)
        result = GOING_ON
        if known < 0 or _is_cheaper(store.rows, store.moves, known, aim, pushes, steps):
            first, second = _costs_of(search, parent, at, target, steps, after)
            is_better = first < below_first or (first == below_first and aim != PUSHES and second < below_second)
            if is_better and (max(first - counters[BASE], second) >= BUCKETS or pushes >= MOST_PUSHES):
                result = TOO_LONG
            elif is_better:
                _store(search, known, code, steps, first, second)
    return result


@inlined
def _write_child(search: Search, at: int, target: int, after: int, zone: int, code: int) -> int:
    """Write the child with key *code*, or its image with the least key, to `scratch.row`; return that key."""
    board, squares, images, scratch = search.board, search.squares, search.images, search.scratch
    box, row, bits = np.int64(scratch.boxes[at]), scratch.row, squares.bit
    copy(scratch.parent, row)
    row[bits[box] >> 3] ^= np.uint8(1 << (bits[box] & 7))
    row[bits[target] >> 3] ^= np.uint8(1 << (bits[target] & 7))
    put_number(row, 4, after)
    if images.shape[0] > 1:
        turn = least_image(board, images, scratch.keys, box, target, after, scratch.marks, zone)
        if turn:
            count = board.boxes.shape[0]
            there = man_image(images, turn, after, scratch.marks, zone)
            pack_image(squares, images, turn, scratch, count, at, target, there)
            code = key_of(board, scratch.after, count, there)
    return code


@inlined
def _costs_of(search: Search, parent: _Parent, at: int, target: int, steps: int, after: int) -> tuple[int, int]:
    """Return lower bounds of both counts of a solution through a child; FAR or more if there is none."""
    board, costs, aim, heights = search.board, search.costs, search.aim, search.costs.heights
    count, box, pushes = board.boxes.shape[0], search.scratch.boxes[at], parent.pushes + 1
    row = row_at(board.neighbours, costs, target, np.int64(box))
    rest = sum_with(search.scratch.matching, count, costs, at, row, parent.bound)
    is_solved = parent.home - board.goal[box] + board.goal[target] == count
    end = np.int64(costs.ends[after]) if is_solved else np.int64(0)
    first, second = max(pushes + rest, search.counters[FIRST]), steps + rest + end
    if aim == MOVES_PUSHES:
        remaining = np.int64(0) if is_solved else rest + heights[after]
        first = steps + remaining + end
        second = pushes + pushes_in(remaining, after, heights, costs.dearest)  # type: ignore[assignment]
    if rest >= FAR or end >= FAR:
        first = np.int64(_NEVER)
    return first, np.int64(0) if aim == PUSHES else second  # type: ignore[return-value]


@inlined
def _store(search: Search, known: int, code: int, steps: int, first: int, second: int) -> None:
    """Store the child in `scratch.row` and put it into the open list."""
    store, slots, counters = search.store, search.slots, search.counters
    fresh = counters[STORED]
    counters[STORED] = fresh + 1
    copy(search.scratch.row, store.rows[fresh])
    if search.aim != PUSHES:
        store.moves[fresh] = steps
    if known >= 0:
        replace(slots, code, known, fresh)
    else:
        slots[-1 - known] = fresh + 1
        counters[IN_TABLE] += 1
    put(store, search.queue, counters, fresh, first, second)


@inner
def _is_cheaper(rows: Table, moved: Table, known: int, aim: int, pushes: int, moves: int) -> bool:
    """Return whether this many pushes and moves are better than the known path to the state."""
    pushed = number_in(rows[known], 2)
    if aim == PUSHES:
        is_cheaper = pushes < pushed
    elif aim == PUSHES_MOVES:
        is_cheaper = pushes < pushed or (pushes == pushed and moves < moved[known])
    else:
        is_cheaper = moves < moved[known] or (moves == moved[known] and pushes < pushed)
    return is_cheaper


@inner
def _fresh_mark(counters: Table, walked: Table, marks: Table) -> int:
    """Return a number that does not occur in the marks."""
    if counters[_MARK] >= 1 << 30:
        counters[_MARK] = 0
        fill(walked, 0)
        fill(marks, 0)
    counters[_MARK] += 1
    return counters[_MARK]  # type: ignore[no-any-return]
