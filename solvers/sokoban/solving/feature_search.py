"""Feature-space search: cells in turn, in each the lightest waiting move, moves tested for deadlock only then.

After Shoham and Schaeffer, The FESS Algorithm: A Feature Based Approach to Single-Agent Search (IEEE CoG 2020). Each
state lies in the cell of the best score on its path (or, an option, of its own). Odd turns serve the cells round and
round, even turns the cell of the best state so far. A move weighs 0 where an advisor proposes it (see `advising`), else
1; a path weighs the sum.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.advising import A_PACK, Advice, advise, clear_advice, follow_advice
from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner, kernel, part
from solvers.sokoban.solving.corral_search import CorralMemory, is_dead_corral
from solvers.sokoban.solving.corrals import Corrals
from solvers.sokoban.solving.floods import zone_key
from solvers.sokoban.solving.freezing import Walls, freeze, unmatched
from solvers.sokoban.solving.guides import Guide
from solvers.sokoban.solving.inward import keep_inward
from solvers.sokoban.solving.macros import Work, macro_moves, put_boxes
from solvers.sokoban.solving.matching import Matching, assign, goal_costs
from solvers.sokoban.solving.removing import Sinks, removals
from solvers.sokoban.solving.rooms import Rooms
from solvers.sokoban.solving.scoring import (
    PLAN,
    PULL,
    REMOVE,
    Features,
    cell_key,
    measure,
    measure_child,
    score,
)
from solvers.sokoban.solving.tables import stamp
from solvers.sokoban.solving.tree import LOST, Edges, States, drop_first, find, merge

GOING, FOUND, FULL, EXHAUSTED, MET = range(5)  # what `step` says

# Counters of a search
(C_STATES, C_EXPANDED, C_CELLS, C_EDGES, C_TURN, C_CELL, C_BEST, C_LOST, C_MET_EDGE, C_MET_OTHER) = range(10)
C_PRUNED, C_CORRALS = 10, 11
# Options of a search
(O_MODE, O_INWARD, O_CORRAL, O_EXPLORER, O_OWN_CELLS, O_SEED, O_WEIGHTS, O_ONE_CELL, O_REMOVAL_WALK) = range(9)


class Cells(NamedTuple):
    """The cells met: *keys* int64, *heaps* int32 (first waiting move, -1) by number; *places* their hash table."""

    keys: Table
    heaps: Table
    places: Table


class Meeting(NamedTuple):
    """The states of a search the other way: hash table *places* int32, *keys* uint64 (one row: there is none)."""

    places: Table
    keys: Table


class Search(NamedTuple):
    """All that a feature-space search works with. *places*, *keys*: hash table of its states; *counters*, *options*."""

    board: Board
    guide: Guide
    rooms: Rooms
    work: Work
    walls: Walls
    corrals: Corrals
    memory: CorralMemory
    matching: Matching
    scratch: Matching
    sinks: Sinks
    features: Features
    advice: Advice
    states: States
    edges: Edges
    cells: Cells
    places: Table
    keys: Table
    meeting: Meeting
    counters: Table
    options: Table


@part
def cell_number(cells: Cells, counters: Table, key: int) -> int:
    """The number of a cell, a new one if need be; with too many cells, all others share the first."""
    mask = cells.places.shape[0] - 1
    at = np.int64((np.uint64(key) * np.uint64(11400714819323198485)) >> np.uint64(40)) & mask
    while cells.places[at] >= 0:
        if cells.keys[cells.places[at]] == key:
            return cells.places[at]  # type: ignore[no-any-return]
        at = (at + 1) & mask
    number = counters[C_CELLS]
    if number >= cells.keys.shape[0]:
        return 0
    cells.places[at] = number
    cells.keys[number] = key
    cells.heaps[number] = -1
    counters[C_CELLS] += 1
    counters[C_CELL] = number
    return number  # type: ignore[no-any-return]


@part
def expand(search: Search, state: int) -> int:
    """Score a state, put it into its cell, generate and score its moves; return how many moves wait."""
    board, work, states, edges = search.board, search.work, search.states, search.edges
    counters, options, now = search.counters, search.options, search.features.now
    mode = options[O_MODE]
    boxes, count = states.boxes[state], states.count[state]
    put_boxes(board.size, work.blocked, boxes, count)
    measure(board, work, search.guide, search.rooms, search.matching, boxes, count, mode, now)
    own = score(mode, now)
    states.own[state] = own
    via = states.via[state]
    parent = edges.parent[via] if via >= 0 else -1
    if parent >= 0 and states.best[parent] > own and options[O_OWN_CELLS] == 0:
        states.best[state] = states.best[parent]
        states.cell[state] = states.cell[parent]
    else:
        states.best[state] = own
        key = np.int64(0) if options[O_ONE_CELL] else cell_key(mode, now)
        states.cell[state] = cell_number(search.cells, counters, key)
    stand = states.stand[state]
    moves = macro_moves(board, work, boxes, count, stand, mode <= PULL)
    if mode >= PLAN and options[O_INWARD]:
        kept = keep_inward(board, work.blocked, work.mark, work.moves, search.corrals, moves)
        counters[C_PRUNED] += moves - kept
        moves = kept
    gone = False
    if mode == REMOVE:
        taken = removals(
            board, work, search.rooms, search.matching, search.sinks, states.starts[state], boxes, count, stand,
            moves, options[O_REMOVAL_WALK],
        )  # fmt: skip
        if taken > 0:
            gone = True
            moves = taken
    states.forced[state] = 1 if gone else 0
    clear_advice(board, work, search.advice, stand, own)
    first = counters[C_EDGES]
    for move in range(moves):
        _score_move(search, state, move, first + move, gone)
    counters[C_EDGES] += moves
    if not gone:
        follow_advice(search.advice, edges.weight, states.weight[state], mode)
    elif search.advice.edge[A_PACK] >= 0:
        edges.weight[search.advice.edge[A_PACK]] = states.weight[state]
    if 0 < moves <= 2:
        edges.weight[first] = states.weight[state]
    return _queue_up(search, state, first, moves)


@part
def _score_move(search: Search, state: int, move: int, edge: int, gone: bool) -> None:  # noqa: FBT001
    """Write move number *move* of `work.moves` as *edge*, with its score, and show it to the advisors."""
    board, work, states, edges = search.board, search.work, search.states, search.edges
    options, now, then = search.options, search.features.now, search.features.then
    boxes, count, mode = states.boxes[state], states.count[state], options[O_MODE]
    source, target = work.moves.source[move], work.moves.target[move]
    stand, zone = work.moves.stand[move], work.moves.zone[move]
    child = search.advice.boxes
    after = 0
    key = board.box_keys[source] ^ states.boxes_key[state]
    for at in range(count):
        if boxes[at] != source:
            child[after] = boxes[at]
            after += 1
        elif not gone:
            child[after] = target
            after += 1
    work.blocked[source] = 0
    if gone:
        zone = zone_key(board.neighbours, work.blocked, stand, board.zone_keys, work.mark, stamp(work.mark), work.queue)
    else:
        work.blocked[target] = 1
        key ^= board.box_keys[target]
    edges.parent[edge] = state
    edges.source[edge] = source
    edges.target[edge] = target
    edges.stand[edge] = stand
    edges.key[edge] = key ^ zone
    edges.weight[edge] = states.weight[state] if options[O_WEIGHTS] == 0 else states.weight[state] + 1
    edges.child[edge] = -1
    edges.sibling[edge] = -1
    measure_child(
        board, work, search.guide, search.rooms, search.matching, search.scratch, child, after, mode, move, gone,
        now, then,
    )  # fmt: skip
    edges.score[edge] = _shuffled(score(mode, then), edges.key[edge], options[O_SEED])
    advise(
        board, work, search.guide, search.advice, mode, options[O_EXPLORER], edge, source, target, stand,
        edges.score[edge], now, then,
    )  # fmt: skip
    work.blocked[source] = 1
    if not gone:
        work.blocked[target] = 0


@inner
def _shuffled(value: int, key: int, seed: int) -> int:
    """The score with its last 30 bits, the distance, drawn by lot; unchanged for seed 0."""
    if seed == 0:
        return value
    lot = (key * np.uint64(11400714819323198485) ^ np.uint64(seed) * np.uint64(1442695040888963407)) * np.uint64(
        6364136223846793005
    )
    return ((value >> 30) << 30) | np.int64(lot >> np.uint64(34))  # type: ignore[return-value]


@part
def _queue_up(search: Search, state: int, first: int, moves: int) -> int:
    """Let the new moves wait in the state's cell, but for those to states known already; return how many."""
    cells, cell = search.cells, search.states.cell[state]
    heap = cells.heaps[cell]
    alive = 0
    for edge in range(first, first + moves):
        at = find(search.places, search.keys, search.edges.key[edge])
        if at < 0:
            heap = merge(search.edges, heap, edge)
            alive += 1
        elif search.places[at] != LOST:
            alive += 1
    cells.heaps[cell] = heap
    search.states.alive[state] = alive
    return alive


@part
def _lose(search: Search, state: int) -> None:
    """One move of *state* is lost: with its last one so is the state, and the move to it, and so upwards."""
    while state >= 0:
        search.states.alive[state] -= 1
        if search.states.alive[state] > 0:
            return
        search.places[find(search.places, search.keys, search.states.key[state])] = LOST
        search.states.own[state] = -1
        search.counters[C_LOST] += 1
        via = search.states.via[state]
        state = search.edges.parent[via] if via >= 0 else -1


@part
def _best_alive(search: Search) -> None:
    """Point C_BEST at the best state not known to be lost."""
    best = 0
    for state in range(search.counters[C_STATES]):
        if search.states.own[state] > search.states.own[best]:
            best = state
    search.counters[C_BEST] = best


@part
def _next_edge(search: Search) -> int:
    """Take the next move from the cell whose turn it is; -1: none there, -2: none anywhere."""
    counters, cells = search.counters, search.cells
    counters[C_TURN] += 1
    if counters[C_TURN] & 1:
        tried = 0
        while True:
            if counters[C_CELL] >= counters[C_CELLS]:
                counters[C_CELL] = 0
            cell = counters[C_CELL]
            counters[C_CELL] += 1
            if cells.heaps[cell] >= 0:
                break
            tried += 1
            if tried > counters[C_CELLS]:
                return -2
    else:
        if search.states.own[counters[C_BEST]] < 0:
            _best_alive(search)
        cell = search.states.cell[counters[C_BEST]]
        if cells.heaps[cell] < 0:
            return -1
    edge = cells.heaps[cell]
    cells.heaps[cell] = drop_first(search.edges, edge)
    return edge  # type: ignore[no-any-return]


@part
def _is_lost(search: Search, state: int) -> bool:
    """Whether a sound test finds the new state a deadlock; `work.blocked` shows it."""
    board, work, mode = search.board, search.work, search.options[O_MODE]
    boxes, count = search.states.boxes[state], search.states.count[state]
    if mode == REMOVE:
        return False
    if mode == PULL:
        goal_costs(board.distances, boxes, board.boxes, count, True, search.matching.costs)  # noqa: FBT003
        return assign(search.matching, count) >= FAR
    if freeze(board, boxes, count, search.walls.frozen) < 0:
        return True
    if unmatched(board, work, boxes, count, search.walls):
        return True
    goal_costs(board.distances, boxes, board.goals, count, False, search.matching.costs)  # noqa: FBT003
    if assign(search.matching, count) >= FAR:
        return True
    limit = search.options[O_CORRAL]
    if limit and is_dead_corral(board, work, boxes, count, search.states.stand[state], limit, search.memory):
        search.counters[C_CORRALS] += 1
        return True
    return False


@part
def add_state(search: Search, edge: int) -> int:
    """Write the state that *edge* makes behind the last one; return its number."""
    states, edges, board = search.states, search.edges, search.board
    state, parent = search.counters[C_STATES], edges.parent[edge]
    source, target, gone = edges.source[edge], edges.target[edge], states.forced[parent]
    count = 0
    key = states.boxes_key[parent] ^ board.box_keys[source]
    for at in range(states.count[parent]):
        box = states.boxes[parent, at]
        if box == source:
            if gone:
                continue
            box = target
        states.boxes[state, count] = box
        count += 1
    if gone == 0:
        key ^= board.box_keys[target]
    states.boxes_key[state] = key
    states.count[state] = count
    states.stand[state] = edges.stand[edge]
    states.key[state] = edges.key[edge]
    states.via[state] = edge
    states.weight[state] = edges.weight[edge]
    states.depth[state] = states.depth[parent] + 1
    if search.options[O_MODE] == REMOVE:
        for square in range(board.size):
            states.starts[state, square] = states.starts[parent, square]
        if gone:
            states.starts[state, target] = 0
    return state  # type: ignore[no-any-return]


@kernel
def step(search: Search, turns: int, aim: int) -> int:
    """Expand the state added last, or take the next move from the cells, *turns* times; return GOING, or why it stops.

    FOUND: state C_BEST is the end sought (all boxes away, or at home, or the state of key *aim*). MET: the child
    C_MET_EDGE is state C_MET_OTHER of the other search. FULL: the tables must grow. EXHAUSTED: no move waits, and as
    every test of a search without removal is sound, nothing solves the level.
    """
    states, edges, counters = search.states, search.edges, search.counters
    most = search.work.moves.source.shape[0]
    for _ in range(turns):
        if counters[C_STATES] + 2 > states.key.shape[0] or counters[C_EDGES] + most > edges.key.shape[0]:
            return FULL
        if 2 * (counters[C_STATES] + counters[C_LOST]) > search.places.shape[0]:
            return FULL
        losing = -1
        if counters[C_EXPANDED] < counters[C_STATES]:
            state = counters[C_EXPANDED]
            counters[C_EXPANDED] += 1
            first = counters[C_EDGES]
            if expand(search, state) == 0:
                states.alive[state] = 1
                losing = state
            elif states.own[state] > states.own[counters[C_BEST]]:
                counters[C_BEST] = state
            if _meets(search, first):
                return MET
        else:
            edge = _next_edge(search)
            if edge == -2:
                return EXHAUSTED
            if edge < 0 or states.own[edges.parent[edge]] < 0:
                continue
            at = find(search.places, search.keys, edges.key[edge])
            if at >= 0:
                if search.places[at] == LOST:
                    losing = edges.parent[edge]
            else:
                state = add_state(search, edge)
                search.keys[-1 - at] = edges.key[edge]
                put_boxes(search.board.size, search.work.blocked, states.boxes[state], states.count[state])
                if _is_lost(search, state):
                    search.places[-1 - at] = LOST
                    counters[C_LOST] += 1
                    losing = edges.parent[edge]
                else:
                    search.places[-1 - at] = state
                    counters[C_STATES] += 1
                    if _is_end(search, state, aim):
                        counters[C_BEST] = state
                        return FOUND
        _lose(search, losing)
    return GOING


@part
def _meets(search: Search, first: int) -> bool:
    """Whether a move from *first* on makes a state of the other search."""
    meeting, counters = search.meeting, search.counters
    if meeting.places.shape[0] == 1 or search.options[O_MODE] == REMOVE:
        return False
    for edge in range(first, counters[C_EDGES]):
        met = find(meeting.places, meeting.keys, search.edges.key[edge])
        if met >= 0:
            counters[C_MET_EDGE] = edge
            counters[C_MET_OTHER] = meeting.places[met]
            return True
    return False


@part
def _is_end(search: Search, state: int, aim: int) -> bool:
    states, mode = search.states, search.options[O_MODE]
    if mode == REMOVE:
        return states.count[state] == 0  # type: ignore[no-any-return]
    if mode == PULL:
        return states.key[state] == aim  # type: ignore[no-any-return]
    at_home = 0
    for at in range(states.count[state]):
        at_home += search.board.goal[states.boxes[state, at]]
    return at_home == states.count[state]  # type: ignore[no-any-return]
