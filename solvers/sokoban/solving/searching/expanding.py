"""Expanding a state of a feature-space search: its moves are generated and scored, and wait in the state's cell."""

import numpy as np

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.deadlocks.corrals import Corrals
from solvers.sokoban.solving.deadlocks.inward import keep_inward
from solvers.sokoban.solving.floor.floods import zone_key
from solvers.sokoban.solving.floor.macros import Work, macro_moves, put_boxes
from solvers.sokoban.solving.floor.matching import Matching
from solvers.sokoban.solving.floor.rooms import Rooms, boxes_by_room
from solvers.sokoban.solving.floor.tables import stamp
from solvers.sokoban.solving.searching.advising import A_PACK, Advice, advise, clear_advice, follow_advice
from solvers.sokoban.solving.searching.feature_tables import (
    BY_PATH,
    BY_ROOM,
    C_CELL,
    C_CELLS,
    C_EDGES,
    C_PRUNED,
    O_CELLS,
    O_EXPLORER,
    O_INWARD,
    O_MODE,
    O_ONE_CELL,
    O_REMOVAL_WALK,
    O_SEED,
    O_WEIGHTS,
    Cells,
)  # fmt: skip
from solvers.sokoban.solving.searching.guides import Guide
from solvers.sokoban.solving.searching.removing import Sinks, removals
from solvers.sokoban.solving.searching.scoring import (
    PLAN,
    PULL,
    REMOVE,
    Features,
    cell_key,
    measure,
    measure_child,
    score,
)  # fmt: skip
from solvers.sokoban.solving.searching.tree import LOST, Edges, States, find, merge


@inner
def expand(
    board: Board, guide: Guide, rooms: Rooms, work: Work, corrals: Corrals, matching: Matching, scratch: Matching,
    sinks: Sinks, features: Features, advice: Advice, states: States, edges: Edges, cells: Cells, places: Table,
    keys: Table, counters: Table, options: Table, state: int,
) -> int:  # fmt: skip
    """Score a state, put it into its cell, generate and score its moves; return how many moves wait."""
    mode, now = options[O_MODE], features.now
    boxes, count, stand, weight = states.boxes[state], states.count[state], states.stand[state], states.weight[state]
    put_boxes(board.size, work.blocked, boxes, count)
    measure(board, guide, rooms, matching, work.blocked, work.mark, work.queue, boxes, count, mode, now)
    own = score(mode, now)
    states.own[state] = own
    via = states.via[state]
    parent = edges.parent[via] if via >= 0 else -1
    if parent >= 0 and states.best[parent] > own and options[O_CELLS] == BY_PATH:
        states.best[state] = states.best[parent]
        states.cell[state] = states.cell[parent]
    else:
        states.best[state] = own
        key = np.int64(0) if options[O_ONE_CELL] else cell_key(mode, now)
        if options[O_CELLS] == BY_ROOM:
            key ^= boxes_by_room(rooms.of, boxes, count)
        states.cell[state] = _cell_number(cells.keys, cells.heaps, cells.places, counters, key)
    moves = macro_moves(board, work, boxes, count, stand, mode <= PULL)
    if mode >= PLAN and options[O_INWARD]:
        kept = keep_inward(board, work.blocked, work.mark, work.moves, corrals, moves)
        counters[C_PRUNED] += moves - kept
        moves = kept
    gone = False
    if mode == REMOVE:
        taken = removals(
            board, rooms, matching, sinks, work.blocked, work.mark, work.queue, work.moves, states.starts[state],
            boxes, count, stand, moves, options[O_REMOVAL_WALK],
        )  # fmt: skip
        if taken > 0:
            gone = True
            moves = taken
    states.forced[state] = 1 if gone else 0
    clear_advice(board.neighbours, work.blocked, work.mark, work.queue, advice, stand, own)
    first = counters[C_EDGES]
    _score_moves(
        board, guide, rooms, work, matching, scratch, features, advice, edges, options, boxes, count,
        states.boxes_key[state], state, weight, first, moves, gone,
    )  # fmt: skip
    counters[C_EDGES] += moves
    if not gone:
        follow_advice(advice, edges.weight, weight, mode)
    elif advice.edge[A_PACK] >= 0:
        edges.weight[advice.edge[A_PACK]] = weight
    if 0 < moves <= 2:
        edges.weight[first] = weight
    alive = _queue_up(edges, cells.heaps, places, keys, states.cell[state], first, moves)
    states.alive[state] = alive
    return alive


@inner
def _cell_number(keys: Table, heaps: Table, places: Table, counters: Table, key: int) -> int:
    """The number of a cell, a new one if need be; with too many cells, all others share the first."""
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


@inner
def _score_moves(
    board: Board, guide: Guide, rooms: Rooms, work: Work, matching: Matching, scratch: Matching, features: Features,
    advice: Advice, edges: Edges, options: Table, boxes: Table, count: int, boxes_key: int, state: int, weight: int,
    first: int, moves: int, gone: bool,  # noqa: FBT001
) -> None:  # fmt: skip
    """Write the first *moves* of `work.moves` as edges from *first* on, with scores, and show them to the advisors."""
    neighbours, box_keys, zone_keys = board.neighbours, board.box_keys, board.zone_keys
    blocked, mark, queue, listed = work.blocked, work.mark, work.queue, work.moves
    now, then, child = features.now, features.then, advice.boxes
    mode, explore, seed = options[O_MODE], options[O_EXPLORER], options[O_SEED]
    heavier = weight if options[O_WEIGHTS] == 0 else weight + 1
    for move in range(moves):
        edge = first + move
        source, target, stand = listed.source[move], listed.target[move], listed.stand[move]
        zone, row, parted = listed.zone[move], listed.box[move], listed.regions[move]
        after = 0
        key = box_keys[source] ^ boxes_key
        for at in range(count):
            if boxes[at] != source:
                child[after] = boxes[at]
                after += 1
            elif not gone:
                child[after] = target
                after += 1
        blocked[source] = 0
        if gone:
            zone = zone_key(neighbours, blocked, stand, zone_keys, mark, stamp(mark), queue)
        else:
            blocked[target] = 1
            key ^= box_keys[target]
        edges.parent[edge] = state
        edges.source[edge] = source
        edges.target[edge] = target
        edges.stand[edge] = stand
        edges.key[edge] = key ^ zone
        edges.weight[edge] = heavier
        edges.child[edge] = -1
        edges.sibling[edge] = -1
        measure_child(
            board, guide, rooms, matching, scratch, blocked, mark, queue, child, after, mode, source, target, parted,
            row, gone, now, then,
        )  # fmt: skip
        worth = _shuffle(score(mode, then), key ^ zone, seed)
        edges.score[edge] = worth
        advise(
            board.distances, board.dead, neighbours, blocked, mark, queue, guide, advice, mode, explore, edge, source,
            target, stand, worth, now, then,
        )  # fmt: skip
        blocked[source] = 1
        if not gone:
            blocked[target] = 0


@inner
def _shuffle(value: int, key: int, seed: int) -> int:
    """The score with its last 30 bits, the distance, drawn by lot; unchanged for seed 0."""
    if seed == 0:
        return value
    lot = (key * np.uint64(11400714819323198485) ^ np.uint64(seed) * np.uint64(1442695040888963407)) * np.uint64(
        6364136223846793005
    )
    return ((value >> 30) << 30) | np.int64(lot >> np.uint64(34))  # type: ignore[return-value]


@inner
def _queue_up(
    edges: Edges, heaps: Table, places: Table, keys: Table, cell: int, first: int, moves: int
) -> int:  # fmt: skip
    """Let the new moves wait in the cell, but for those to states known already; return how many are not lost."""
    heap = heaps[cell]
    alive = 0
    for edge in range(first, first + moves):
        at = find(places, keys, edges.key[edge])
        if at < 0:
            heap = merge(edges, heap, edge)
            alive += 1
        elif places[at] != LOST:
            alive += 1
    heaps[cell] = heap
    return alive
