"""Feature-space search: cells in turn, in each the lightest waiting move, moves tested for deadlock only then.

After Shoham and Schaeffer, The FESS Algorithm: A Feature Based Approach to Single-Agent Search (IEEE CoG 2020). Each
state lies in the cell of the best score on its path or, as options, of its own score, or of this and of how many boxes
stand in each room: where the features hardly change, only the rooms keep the cells apart. Odd turns serve the cells
round and round, even turns the cell of the best state so far. A move weighs 0 where an advisor proposes it (see
`advising`), else 1; a path weighs the sum.
"""

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.deadlocks.corral_search import CorralMemory, is_dead_corral
from solvers.sokoban.solving.deadlocks.corrals import Corrals
from solvers.sokoban.solving.deadlocks.dead_ends import DeadEnds, holds_pattern
from solvers.sokoban.solving.deadlocks.freezing import Walls, freeze, has_unmatched
from solvers.sokoban.solving.floor.macros import Work, put_boxes
from solvers.sokoban.solving.floor.matching import Matching, assign, goal_costs
from solvers.sokoban.solving.floor.rooms import Rooms
from solvers.sokoban.solving.searching.advising import Advice
from solvers.sokoban.solving.searching.expanding import expand
from solvers.sokoban.solving.searching.feature_tables import (
    C_BEST,
    C_CELL,
    C_CELLS,
    C_CORRALS,
    C_EDGES,
    C_EXPANDED,
    C_LOST,
    C_MET_EDGE,
    C_MET_OTHER,
    C_PROOFS,
    C_STALE,
    C_STATES,
    C_TURN,
    O_CORRAL,
    O_DOUBT,
    O_MODE,
    Cells,
    Meeting,
)  # fmt: skip
from solvers.sokoban.solving.searching.guides import Guide
from solvers.sokoban.solving.searching.losing import best_state, doubt_best, lose
from solvers.sokoban.solving.searching.removing import Sinks
from solvers.sokoban.solving.searching.scoring import PLAN, PULL, REMOVE, Features
from solvers.sokoban.solving.searching.tree import LOST, Edges, States, drop_first, find

GOING, FOUND, FULL, EXHAUSTED, MET = range(5)  # what `step` says


@kernel
def step(
    board: Board, guide: Guide, rooms: Rooms, work: Work, walls: Walls, corrals: Corrals, memory: CorralMemory,
    ends: DeadEnds, matching: Matching, scratch: Matching, sinks: Sinks, features: Features, advice: Advice,
    states: States, edges: Edges, cells: Cells, places: Table, keys: Table, meeting: Meeting, counters: Table,
    options: Table, turns: int, aim: int,
) -> int:  # fmt: skip
    """Expand the state added last, or take the next move from the cells, *turns* times; return GOING, or why it stops.

    The tables are those of a Search. FOUND: state C_BEST is the end sought (all boxes away, or at home, or the state of
    key *aim*). MET: the child C_MET_EDGE is state C_MET_OTHER of the other search. FULL: the tables must grow.
    EXHAUSTED: no move waits, and as every test of a search without removal is sound, nothing solves the level.
    """
    mode = options[O_MODE]
    most = work.moves.source.shape[0]
    for _ in range(turns):
        if counters[C_STATES] + 2 > states.key.shape[0] or counters[C_EDGES] + most > edges.key.shape[0]:
            return FULL
        if 2 * (counters[C_STATES] + counters[C_LOST]) > places.shape[0]:
            return FULL
        losing = -1
        if counters[C_EXPANDED] < counters[C_STATES]:
            state = counters[C_EXPANDED]
            counters[C_EXPANDED] += 1
            first = counters[C_EDGES]
            alive = expand(
                board, guide, rooms, work, corrals, matching, scratch, sinks, features, advice, states, edges, cells,
                places, keys, counters, options, state,
            )  # fmt: skip
            if alive == 0:
                states.alive[state] = 1
                losing = state
            elif states.own[state] > states.own[counters[C_BEST]]:
                counters[C_BEST] = state
                counters[C_STALE] = counters[C_PROOFS] = 0
            if mode != REMOVE and _meets(meeting.places, meeting.keys, edges.key, first, counters):
                return MET
        else:
            if mode >= PLAN and options[O_DOUBT]:
                doubt_best(
                    board, work, walls, corrals, memory, ends, states, edges.parent, places, keys, counters,
                    options[O_DOUBT],
                )  # fmt: skip
            edge = _next_edge(states.own, states.cell, edges, cells.heaps, counters)
            if edge == -2:
                return EXHAUSTED
            if edge < 0 or states.own[edges.parent[edge]] < 0:
                continue
            at = find(places, keys, edges.key[edge])
            if at >= 0:
                if places[at] == LOST:
                    losing = edges.parent[edge]
            else:
                state = counters[C_STATES]
                _add_state(board, states, edges, mode, state, edge)
                keys[-1 - at] = edges.key[edge]
                boxes, count = states.boxes[state], states.count[state]
                put_boxes(board.size, work.blocked, boxes, count)
                if _is_lost(
                    board, work, walls, memory, ends, matching, counters, options, boxes, count, states.stand[state]
                ):  # fmt: skip
                    places[-1 - at] = LOST
                    counters[C_LOST] += 1
                    losing = edges.parent[edge]
                else:
                    places[-1 - at] = state
                    counters[C_STATES] += 1
                    if _is_end(board.goal, boxes, count, mode, states.key[state], aim):
                        counters[C_BEST] = state
                        return FOUND
        lose(states, edges.parent, places, keys, counters, losing)
        if mode >= PLAN and states.own[0] < 0:
            return EXHAUSTED  # the start is lost
    return GOING


@inner
def _next_edge(own: Table, cell_of: Table, edges: Edges, heaps: Table, counters: Table) -> int:
    """Take the next move from the cell whose turn it is; -1: none there, -2: none anywhere."""
    counters[C_TURN] += 1
    if counters[C_TURN] & 1:
        tried = 0
        while True:
            if counters[C_CELL] >= counters[C_CELLS]:
                counters[C_CELL] = 0
            cell = counters[C_CELL]
            counters[C_CELL] += 1
            if heaps[cell] >= 0:
                break
            tried += 1
            if tried > counters[C_CELLS]:
                return -2
    else:
        cell = cell_of[best_state(own, counters)]
        if heaps[cell] < 0:
            return -1
    edge = heaps[cell]
    heaps[cell] = drop_first(edges, edge)
    return edge  # type: ignore[no-any-return]


@inner
def _is_lost(
    board: Board, work: Work, walls: Walls, memory: CorralMemory, ends: DeadEnds, matching: Matching, counters: Table,
    options: Table, boxes: Table, count: int, stand: int,
) -> bool:  # fmt: skip
    """Whether a sound test finds the new state a deadlock; `work.blocked` shows it."""
    mode = options[O_MODE]
    if mode == REMOVE:
        return False
    if mode == PULL:
        goal_costs(board.distances, boxes, board.boxes, count, True, matching.costs)  # noqa: FBT003
        return assign(matching, count) >= FAR
    if freeze(board.neighbours, board.dead, board.goal, boxes, count, walls.frozen) < 0:
        return True
    if has_unmatched(board.neighbours, board.goals, work.mark, work.queue, boxes, count, walls):
        return True
    goal_costs(board.distances, boxes, board.goals, count, False, matching.costs)  # noqa: FBT003
    if assign(matching, count) >= FAR:
        return True
    if holds_pattern(board, work.blocked, work.mark, work.queue, stand, memory, ends):
        return True
    limit = options[O_CORRAL]
    if limit and is_dead_corral(board, work.blocked, work.mark, work.queue, boxes, count, stand, limit, memory):
        counters[C_CORRALS] += 1
        return True
    return False


@inner
def _add_state(board: Board, states: States, edges: Edges, mode: int, state: int, edge: int) -> None:
    """Write as number *state* the state that *edge* makes."""
    parent = edges.parent[edge]
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
    if mode == REMOVE:
        for square in range(board.size):
            states.starts[state, square] = states.starts[parent, square]
        if gone:
            states.starts[state, target] = 0


@inner
def _meets(places: Table, place_keys: Table, keys: Table, first: int, counters: Table) -> bool:
    """Whether a move from *first* on makes a state of the other search."""
    if places.shape[0] == 1:
        return False
    for edge in range(first, counters[C_EDGES]):
        met = find(places, place_keys, keys[edge])
        if met >= 0:
            counters[C_MET_EDGE] = edge
            counters[C_MET_OTHER] = places[met]
            return True
    return False


@inner
def _is_end(goal: Table, boxes: Table, count: int, mode: int, key: int, aim: int) -> bool:
    if mode == REMOVE:
        return count == 0
    if mode == PULL:
        return key == aim
    at_home = 0
    for at in range(count):
        at_home += goal[boxes[at]]
    return at_home == count
