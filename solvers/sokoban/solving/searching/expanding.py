"""Expand a state of a feature-space search: generate and score its moves, and queue them in the state's cell."""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inlined, inner
from solvers.sokoban.solving.deadlocks.dead_ends import Deadlocks
from solvers.sokoban.solving.deadlocks.inward import keep_inward
from solvers.sokoban.solving.floor.floods import zone_key
from solvers.sokoban.solving.floor.macros import Work, macro_moves, put_boxes
from solvers.sokoban.solving.floor.rooms import boxes_by_room
from solvers.sokoban.solving.floor.tables import stamp
from solvers.sokoban.solving.searching.advising import A_PACK, Advice, advise, clear_advice, follow_advice
from solvers.sokoban.solving.searching.feature_tables import C_CELL, C_CELLS, C_EDGES, C_PRUNED, Cells, Tree
from solvers.sokoban.solving.searching.options import O_BY_ROOM, O_MODE, O_SEED
from solvers.sokoban.solving.searching.removing import Sinks, removals
from solvers.sokoban.solving.searching.scoring import (
    LOTS,
    PLAN,
    PULL,
    REMOVE,
    Scoring,
    cell_key,
    measure,
    measure_child,
    score,
)
from solvers.sokoban.solving.searching.tree import LOST, Edges, find, merge


@inlined
def expand(
    deadlocks: Deadlocks, scoring: Scoring, advice: Advice, sinks: Sinks, tree: Tree, options: Table, state: int
) -> int:
    """Score a state, assign its cell, generate and score its moves; return the number of moves not known to be lost."""
    board, work, states, weights, counters = (
        deadlocks.board,
        deadlocks.work,
        tree.states,
        tree.edges.weight,
        tree.counters,
    )
    mode, boxes, weight = options[O_MODE], states.boxes[state], np.int64(states.weight[state])
    count, stand = np.int64(states.count[state]), np.int64(states.stand[state])
    put_boxes(board.size, work.blocked, boxes, count)
    measure(board, scoring, work, boxes, count, mode)
    own = score(mode, scoring.features.now)
    _find_cell(scoring, tree, options, state, own)
    moves = macro_moves(board, work, boxes, count, stand, mode <= PULL)
    if mode >= PLAN:
        kept = keep_inward(board, work, deadlocks.corrals, moves)
        counters[C_PRUNED] += moves - kept
        moves = kept
    gone = False
    if mode == REMOVE:
        taken = removals(board, scoring, work, sinks, states, state, moves)
        gone = taken > 0
        moves = taken if gone else moves
    states.forced[state] = gone
    clear_advice(board.neighbours, work, advice, stand, own)
    first = counters[C_EDGES]
    _score_moves(board, work, scoring, advice, tree, options, state, moves)
    counters[C_EDGES] += moves
    if not gone:
        follow_advice(advice, weights, weight, mode)
    elif advice.edge[A_PACK] >= 0:
        weights[advice.edge[A_PACK]] = weight
    if 0 < moves <= 2:
        weights[first] = weight
    alive = _queue_up(tree.edges, tree.cells.heaps, tree.places, tree.keys, np.int64(states.cell[state]), first, moves)
    states.alive[state] = alive
    return alive


@inlined
def _find_cell(scoring: Scoring, tree: Tree, options: Table, state: int, own: int) -> None:
    """Put *state*, with score *own*, into the cell of its features or of its parent."""
    states, best, cell, features = tree.states, tree.states.best, tree.states.cell, scoring.features.now
    states.own[state] = own
    via = states.via[state]
    parent = tree.edges.parent[via] if via >= 0 else -1
    if parent >= 0 and best[parent] > own and options[O_BY_ROOM] == 0:
        best[state] = best[parent]
        cell[state] = cell[parent]
    else:
        best[state] = own
        key = cell_key(options[O_MODE], features)
        if options[O_BY_ROOM]:
            key ^= boxes_by_room(scoring.rooms.of, states.boxes[state], np.int64(states.count[state]))
        cell[state] = _cell_number(tree.cells, tree.counters, key)


@inner
def _cell_number(cells: Cells, counters: Table, key: int) -> int:
    """Return the number of a cell, adding it if new; if there are too many cells, new ones share the first."""
    keys, heaps, places = cells.keys, cells.heaps, cells.places
    mask = places.shape[0] - 1
    at = np.int64((np.uint64(key) * np.uint64(11400714819323198485)) >> np.uint64(40)) & mask
    while places[at] >= 0:
        if keys[places[at]] == key:
            return places[at]  # type: ignore[no-any-return]
        at = (at + 1) & mask
    number = counters[C_CELLS]
    if number >= keys.shape[0]:
        return 0
    places[at] = number
    keys[number] = key
    heaps[number] = -1
    counters[C_CELLS] += 1
    counters[C_CELL] = number
    return number  # type: ignore[no-any-return]


@inlined
def _score_moves(
    board: Board, work: Work, scoring: Scoring, advice: Advice, tree: Tree, options: Table, state: int, moves: int
) -> None:
    """Append the first *moves* of `work.moves` as edges with scores, and ask the advisors."""
    states, edges, first, then = tree.states, tree.edges, tree.counters[C_EDGES], scoring.features.then
    blocked, listed, child, box_keys = work.blocked, work.moves, advice.boxes, board.box_keys
    boxes, count = states.boxes[state], np.int64(states.count[state])
    mode, gone = options[O_MODE], states.forced[state] > 0
    heavier = states.weight[state] + (0 if options[O_BY_ROOM] else 1)
    for move in range(moves):
        edge = first + move
        source, target, stand, zone = listed.source[move], listed.target[move], listed.stand[move], listed.zone[move]
        after = np.int64(0)
        key = box_keys[source] ^ states.boxes_key[state]
        for at in range(count):
            if boxes[at] != source:
                child[after] = boxes[at]
                after += 1
            elif not gone:
                child[after] = target
                after += 1
        blocked[source] = 0
        if gone:
            zone = zone_key(
                board.neighbours, blocked, np.int64(stand), board.zone_keys, work.mark, stamp(work.mark), work.queue
            )
        else:
            blocked[target] = 1
            key ^= box_keys[target]
        measure_child(board, scoring, work, child, after, mode, move, gone)
        worth = _shuffle(score(mode, then), key ^ zone, options[O_SEED])
        edges.parent[edge] = state
        edges.source[edge] = source
        edges.target[edge] = target
        edges.stand[edge] = stand
        edges.key[edge] = key ^ zone
        edges.weight[edge] = heavier
        edges.child[edge] = -1
        edges.sibling[edge] = -1
        edges.score[edge] = worth
        advise(board, scoring, work, advice, options, edge, move, worth)
        blocked[source] = 1
        if not gone:
            blocked[target] = 0


@inner
def _shuffle(value: int, key: int, seed: int) -> int:
    """Return the score with its last bits, which hold the distance, drawn by lot; unchanged for seed 0."""
    if seed == 0:
        return value
    lot = (key * np.uint64(11400714819323198485) ^ np.uint64(seed) * np.uint64(1442695040888963407)) * np.uint64(
        6364136223846793005
    )
    return ((value >> LOTS) << LOTS) | np.int64(lot >> np.uint64(64 - LOTS))  # type: ignore[return-value]


@inner
def _queue_up(edges: Edges, heaps: Table, places: Table, keys: Table, cell: int, first: int, moves: int) -> int:
    """Queue the new moves in the cell, except those to known states; return how many are not lost."""
    heap, edge_keys = np.int64(heaps[cell]), edges.key
    alive = 0
    for edge in range(first, first + moves):
        at = find(places, keys, edge_keys[edge])
        if at < 0:
            heap = merge(edges, heap, edge)  # type: ignore[assignment]
            alive += 1
        elif places[at] != LOST:
            alive += 1
    heaps[cell] = heap
    return alive
