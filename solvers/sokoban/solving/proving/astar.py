"""The kernel of the exact searches: A* over pushes, with one of three costs.

- pushes alone: a state is the boxes and the player's zone, named by its least square;
- pushes, then moves, or moves, then pushes: a state is the boxes and the very square of the player after a push, for
  the walks between the pushes count.

Both counts are bounded from below by the same matching (`lower_bounds`), moves by one that knows of ways back besides
(`heights`), pushes by one that knows of pairs of boxes in each other's way (`pairs`). The latter is worked out when a
state is taken; if it is higher, the state goes back. States are taken in the order of their bound (first count, then
second), a child never being below its parent, and the first solved state taken is the best. A state that is met again
at less cost is stored anew, and the old one is passed over when its turn comes.

Hart, Nilsson, Raphael: A Formal Basis for the Heuristic Determination of Minimum Cost Paths, 1968.
"""

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.deadlocks.corrals import LOST, NOTHING, choose_corral
from solvers.sokoban.solving.deadlocks.freezing import freezes
from solvers.sokoban.solving.floor.floods import flood, walk_everywhere
from solvers.sokoban.solving.floor.matching import assign
from solvers.sokoban.solving.floor.tables import copy, fill
from solvers.sokoban.solving.proving.lower_bounds import Costs, fill_costs, row_at, sum_with
from solvers.sokoban.solving.proving.open_list import (
    BASE,
    BUCKETS,
    FIRST,
    MOVES_PUSHES,
    OPEN_COUNTERS,
    PUSHES,
    PUSHES_MOVES,
    Queue,
    begin,
    pushes_in,
    put,
    take,
)  # fmt: skip
from solvers.sokoban.solving.proving.pairs import Pairs, more_pushes
from solvers.sokoban.solving.proving.scratch import Scratch
from solvers.sokoban.solving.proving.states import (
    MOST_PUSHES,
    Squares,
    Store,
    find,
    first_slot,
    key_of,
    number_in,
    pack,
    put_number,
    unpack,
)
from solvers.sokoban.solving.proving.symmetries import image_keys, least_image, man_image, pack_image
from solvers.sokoban.solving.proving.vicinity import is_inside

# How a batch ended.
GOING_ON, SOLVED, EXHAUSTED, FULL, TIGHT, TOO_LONG = 0, 1, 2, 3, 4, 5
# The places of the counters behind those of the open list.
STORED, EXPANDED, IN_TABLE, STATE, BRANCHES, DEAD_ENDS, _MARK = range(OPEN_COUNTERS, OPEN_COUNTERS + 7)
COUNTERS = OPEN_COUNTERS + 7


@kernel
def plant(
    board: Board, squares: Squares, costs: Costs, store: Store, slots: Table, queue: Queue, scratch: Scratch,
    counters: Table, aim: int,
) -> bool:  # fmt: skip
    """Store the start as state 0 and put it into the open list; return False if its boxes cannot be matched.

    A start that is solved does not enter the hash table: it is no solution, but coming back to it is one.
    """
    count = board.boxes.shape[0]
    for square in range(board.size):
        scratch.blocked[square] = 0
    scratch.blocked[board.size] = 1
    is_solved = True
    for at in range(count):
        box = board.boxes[at]
        if squares.bit[box] < 0:
            return False
        scratch.blocked[box] = 1
        scratch.boxes[at] = box
        is_solved = is_solved and board.goal[box] != 0
    man = board.player
    if aim == PUSHES:
        man = flood(board.neighbours, scratch.blocked, man, scratch.marks, 1, scratch.queue)
        for square in range(board.size):
            scratch.marks[square] = 0
    fill_costs(board, costs, scratch.boxes, count, man, scratch.matching)
    bound = assign(scratch.matching, count)
    if bound >= FAR:
        return False
    if aim == MOVES_PUSHES:
        bound += costs.heights[man]
    pack(squares, scratch.boxes, count, scratch.row)
    put_number(scratch.row, 4, man)
    put_number(scratch.row, 2, 0)
    copy(scratch.row, store.rows[0])
    if aim != PUSHES:
        store.moves[0] = 0
    store.link[0] = 0
    if not is_solved:
        slots[-1 - find(store, slots, scratch.row, key_of(board, scratch.boxes, count, man))] = 1
        counters[IN_TABLE] = 1
    begin(queue, counters, bound)
    counters[STORED] = 1
    counters[STATE] = -1
    return True


@kernel
def advance(
    board: Board, squares: Squares, costs: Costs, pairs: Pairs, fence: Table, images: Table, store: Store,
    slots: Table, queue: Queue, scratch: Scratch, counters: Table, aim: int,
    below_first: int, below_second: int, batch: int,
) -> int:  # fmt: skip
    """Expand up to *batch* states; return how it ended.

    SOLVED: `counters[STATE]` is the best solved state. EXHAUSTED: no solution costs less than (*below_first*,
    *below_second*), the cost of one that is known, or FAR. FULL: no room for more states. TIGHT: the hash table must
    grow. TOO_LONG: a count does not fit. `counters[FIRST]` is a lower bound of the first count at any time. Of the
    *images* of a state (see `symmetries`) one is stored.
    """
    neighbours, blocked, boxes = board.neighbours, scratch.blocked, scratch.boxes
    matching = scratch.matching
    count = board.boxes.shape[0]
    room = store.rows.shape[0] - 4 * count
    fullest = int(slots.shape[0] * 0.85) - 4 * count
    for _ in range(batch):
        if counters[STORED] >= room:
            return FULL
        if counters[IN_TABLE] >= fullest:
            return TIGHT
        state = take(store, queue, counters, aim, costs.heights, costs.dearest)
        if state < 0:
            return EXHAUSTED
        row = store.rows[state]
        unpack(squares, row, boxes)
        man = number_in(row, 4)
        pushed = number_in(row, 2)
        moved = 0 if aim == PUSHES else int(store.moves[state])
        key = key_of(board, boxes, count, man)
        if state > 0 and find(store, slots, row, key) != state:
            continue  # it was met again at less cost
        home = 0
        for at in range(count):
            home += board.goal[boxes[at]]
        if state > 0 and home == count:
            counters[STATE] = state
            return SOLVED
        fill_costs(board, costs, boxes, count, man, matching)
        bound = assign(matching, count)
        if aim != MOVES_PUSHES:
            more = more_pushes(pairs, squares.bit, boxes, count, man, matching)
            first = pushed + bound + more
            if first > counters[FIRST]:  # it waits until its turn comes by what it is known to need
                if first < below_first or (first == below_first and aim == PUSHES_MOVES):
                    put(store, queue, counters, state, first, 0)
                continue
        counters[EXPANDED] += 1
        for square in range(board.size):
            blocked[square] = 0
        for at in range(count):
            blocked[boxes[at]] = 1
        held = NOTHING
        if aim == PUSHES:
            stamp = _fresh_mark(counters, scratch)
            flood(neighbours, blocked, man, scratch.walked, stamp, scratch.queue)
            held = choose_corral(board, blocked, scratch.walked, stamp, scratch.corrals)
            if held == LOST:
                counters[DEAD_ENDS] += 1
                continue
            for at in range(held):
                scratch.only[scratch.corrals.chosen[at]] = 1
        else:
            stamp = 0
            walk_everywhere(neighbours, blocked, man, scratch.walked, scratch.queue)
        if images.shape[0] > 1:
            image_keys(board.box_keys, images, boxes, count, scratch.keys)
        children = 0
        for at in range(count):
            box = boxes[at]
            if held > 0 and scratch.only[box] == 0:
                continue
            for direction in range(4):
                target, stand = neighbours[box, direction], neighbours[box, direction ^ 2]
                if blocked[target] or blocked[stand] or squares.bit[target] < 0:
                    continue
                if aim == PUSHES:
                    if scratch.walked[stand] != stamp:
                        continue
                elif scratch.walked[stand] < 0:
                    continue
                blocked[box] = 0
                blocked[target] = 1
                lost = freezes(board, blocked, target, scratch.cluster, scratch.frozen)
                after = box
                zone = 0
                if aim == PUSHES and not lost:
                    zone = _fresh_mark(counters, scratch)
                    after = flood(neighbours, blocked, box, scratch.marks, zone, scratch.queue)
                blocked[box] = 1
                blocked[target] = 0
                if lost:
                    continue
                steps = 0 if aim == PUSHES else moved + scratch.walked[stand] + 1
                code = key ^ board.zone_keys[man] ^ board.zone_keys[after]
                code ^= board.box_keys[box] ^ board.box_keys[target]
                if not is_inside(fence, code ^ board.zone_keys[after]):
                    continue
                copy(row, scratch.row)
                bit = squares.bit[box]
                scratch.row[bit >> 3] ^= np.uint8(1 << (bit & 7))
                bit = squares.bit[target]
                scratch.row[bit >> 3] ^= np.uint8(1 << (bit & 7))
                put_number(scratch.row, 4, after)
                if images.shape[0] > 1:
                    turn = least_image(board, images, scratch.keys, box, target, after, scratch.marks, zone)
                    if turn:
                        there = man_image(images, turn, after, scratch.marks, zone)
                        pack_image(squares, images, turn, boxes, count, at, target, there, scratch.after, scratch.row)
                        code = key_of(board, scratch.after, count, there)
                put_number(scratch.row, 2, pushed + 1)
                known = find(store, slots, scratch.row, code)
                children += 1
                if known >= 0 and not _is_cheaper(store, known, aim, pushed + 1, steps):
                    continue
                rest = sum_with(matching, count, costs, at, row_at(neighbours, costs, target, box), bound)
                if rest >= FAR:
                    continue
                is_solved = home - board.goal[box] + board.goal[target] == count
                end = costs.ends[after] if is_solved else 0
                if end >= FAR:
                    continue
                first, second = pushed + 1 + rest, steps + rest + end
                if aim == MOVES_PUSHES:
                    rest = 0 if is_solved else rest + costs.heights[after]
                    first = steps + rest + end
                    second = pushed + 1 + pushes_in(rest, after, costs.heights, costs.dearest)
                else:
                    first = max(first, counters[FIRST])
                if first > below_first or (first == below_first and (aim == PUSHES or second >= below_second)):
                    continue
                if max(first - counters[BASE], second) >= BUCKETS or pushed + 1 >= MOST_PUSHES:
                    return TOO_LONG
                fresh = counters[STORED]
                counters[STORED] = fresh + 1
                copy(scratch.row, store.rows[fresh])
                if aim != PUSHES:
                    store.moves[fresh] = steps
                if known >= 0:
                    _replace(slots, code, known, fresh)
                else:
                    slots[-1 - known] = fresh + 1
                    counters[IN_TABLE] += 1
                put(store, queue, counters, fresh, first, 0 if aim == PUSHES else second)
        for at in range(held):
            scratch.only[scratch.corrals.chosen[at]] = 0
        counters[BRANCHES] += children
        counters[DEAD_ENDS] += children == 0
    return GOING_ON


@inner
def _is_cheaper(store: Store, known: int, aim: int, pushes: int, moves: int) -> bool:
    """Whether a way of so many pushes and moves betters the one known."""
    before = number_in(store.rows[known], 2)
    if aim == PUSHES:
        return pushes < before
    if aim == PUSHES_MOVES:
        return pushes < before or (pushes == before and moves < store.moves[known])
    return moves < store.moves[known] or (moves == store.moves[known] and pushes < before)


@inner
def _replace(slots: Table, key: int, known: int, fresh: int) -> None:
    """Let the hash table lead to state *fresh* where it led to *known*, the same state at more cost."""
    size = slots.shape[0]
    slot = first_slot(key, size)
    while slots[slot] != known + 1:
        slot += 1
        if slot == size:
            slot = 0
    slots[slot] = fresh + 1


@inner
def _fresh_mark(counters: Table, scratch: Scratch) -> int:
    """A number that stands nowhere in the marks."""
    counters[_MARK] += 1
    if counters[_MARK] >= 1 << 30:
        counters[_MARK] = 1
        fill(scratch.walked, 0)
        fill(scratch.marks, 0)
    return counters[_MARK]  # type: ignore[no-any-return]
