"""Feature-space search: visit the cells in turn, take each cell's lightest move, and test only that for deadlocks.

After Shoham and Schaeffer, The FESS Algorithm: A Feature Based Approach to Single-Agent Search (IEEE CoG 2020). Each
state is in the cell of the best score on its path or, as an option, of its own score and the number of boxes in each
room: if the features hardly change, only the rooms distinguish cells. Odd turns serve the cells
round-robin, even turns the cell of the best state so far. A move weighs 0 if an advisor proposes it (see
`advising`), else 1; a path weighs the sum.
"""

import numpy as np

from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.compiling import Table, inlined, inner, kernel
from solvers.sokoban.solving.deadlocks.corral_search import is_dead_corral
from solvers.sokoban.solving.deadlocks.dead_ends import Deadlocks, holds_pattern
from solvers.sokoban.solving.deadlocks.dead_pairs import has_lost_pair
from solvers.sokoban.solving.deadlocks.freezing import freeze, has_unmatched
from solvers.sokoban.solving.floor.macros import put_boxes
from solvers.sokoban.solving.floor.matching import Matching, assign, goal_costs
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
    Meeting,
    Search,
    Tree,
)
from solvers.sokoban.solving.searching.losing import best_state, doubt_best, is_doubtful, lose
from solvers.sokoban.solving.searching.options import O_DOUBT, O_MODE
from solvers.sokoban.solving.searching.scoring import PLAN, PULL, REMOVE
from solvers.sokoban.solving.searching.tree import LOST, Edges, States, drop_first, find

GOING, FOUND, FULL, EXHAUSTED, MET = range(5)  # results of `step`
CORRAL_STATES = 50  # states of a search for a way out of one corral


@kernel
def step(search: Search, turns: int, aim: int) -> int:
    """Expand the newest state, or take the next move from the cells, *turns* times; return GOING, or why it stopped.

    FOUND: state C_BEST is the target (all boxes removed, or on goals, or the state with key *aim*). MET: the child
    C_MET_EDGE is state C_MET_OTHER of the other search. FULL: the tables must grow. EXHAUSTED: no move is queued; as
    every test of a search without removal is sound, the level is unsolvable.
    """
    deadlocks, scoring, tree, options = search.deadlocks, search.scoring, search.tree, search.options
    mode, own, counters = options[O_MODE], tree.states.own, tree.counters
    most_edges = tree.edges.key.shape[0] - deadlocks.work.moves.source.shape[0]
    status = GOING
    for _ in range(turns):
        if (
            counters[C_STATES] + 2 > own.shape[0]
            or counters[C_EDGES] > most_edges
            or 2 * (counters[C_STATES] + counters[C_LOST]) > tree.places.shape[0]
        ):
            status = FULL
        elif counters[C_EXPANDED] < counters[C_STATES]:
            state = counters[C_EXPANDED]
            counters[C_EXPANDED] += 1
            first = counters[C_EDGES]
            alive = expand(deadlocks, scoring, search.advice, search.sinks, tree, options, state)
            status = _look_at_expanded(tree, search.meeting, mode, state, first, alive)
        else:
            status = _take_move(deadlocks, scoring.matching, tree, options, aim)
        if status == GOING and mode >= PLAN and own[0] < 0:
            status = EXHAUSTED  # the start is lost
        if status != GOING:
            break
    return status


@inner
def _look_at_expanded(tree: Tree, meeting: Meeting, mode: int, state: int, first: int, alive: int) -> int:
    """Return MET if a move from *first* on leads to the other search, else GOING; a state without moves is lost."""
    states, edges, counters = tree.states, tree.edges, tree.counters
    if alive and states.own[state] > states.own[counters[C_BEST]]:
        counters[C_BEST] = state
        counters[C_STALE] = counters[C_PROOFS] = 0
    if mode != REMOVE and _meets(meeting.places, meeting.keys, edges.key, first, counters):
        return MET
    if alive == 0:
        states.alive[state] = 1
        lose(states, edges.parent, tree.places, tree.keys, counters, state)
    return GOING


@inlined
def _take_move(deadlocks: Deadlocks, matching: Matching, tree: Tree, options: Table, aim: int) -> int:
    """Take the next move from the cells, and add the resulting state unless it is lost."""
    board, states, edges, counters, places, keys = (
        deadlocks.board, tree.states, tree.edges, tree.counters, tree.places, tree.keys
    )  # fmt: skip
    own, parents, mode, doubt = states.own, edges.parent, options[O_MODE], options[O_DOUBT]
    if mode >= PLAN and doubt and is_doubtful(own, counters):
        doubt_best(deadlocks, states, parents, places, keys, counters, doubt)
    edge = _next_edge(own, states.cell, edges, tree.cells.heaps, counters)
    if edge == -2:
        return EXHAUSTED
    if edge < 0 or own[parents[edge]] < 0:
        return GOING
    key, parent, status, losing = edges.key[edge], np.int64(parents[edge]), GOING, np.int64(-1)
    at = find(places, keys, key)
    if at >= 0:
        losing = parent if places[at] == LOST else losing
    else:
        state = counters[C_STATES]
        _add_state(board, states, edges, mode, state, edge)
        keys[-1 - at] = key
        boxes, count = states.boxes[state], np.int64(states.count[state])
        put_boxes(board.size, deadlocks.work.blocked, boxes, count)
        if _is_lost(deadlocks, matching, options, boxes, count, np.int64(states.stand[state]), counters):
            places[-1 - at] = LOST
            counters[C_LOST] += 1
            losing = parent
        else:
            places[-1 - at] = state
            counters[C_STATES] += 1
            if _is_end(board.goal, boxes, count, mode, key, aim):
                counters[C_BEST] = state
                status = FOUND
    lose(states, parents, places, keys, counters, losing)
    return status


@inner
def _next_edge(own: Table, cell_of: Table, edges: Edges, heaps: Table, counters: Table) -> int:
    """Take the next move from the cell whose turn it is; return -1 if it has none, -2 if no cell has any."""
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
    deadlocks: Deadlocks, matching: Matching, options: Table, boxes: Table, count: int, stand: int, counters: Table
) -> bool:
    """Return whether a sound test finds the new state a deadlock; `work.blocked` shows it."""
    board, work, memory, ends = deadlocks.board, deadlocks.work, deadlocks.memory, deadlocks.ends
    mode = options[O_MODE]
    if mode == REMOVE:
        return False
    if mode == PULL:
        goal_costs(board.distances, boxes, board.boxes, count, True, matching.costs)  # noqa: FBT003
        return assign(matching, count) >= FAR or has_lost_pair(ends.pairs, ends.pairs.born, boxes, count, stand)
    if freeze(board.neighbours, board.dead, board.goal, boxes, count, deadlocks.walls.frozen) < 0:
        return True
    if has_unmatched(board.neighbours, board.goals, work.mark, work.queue, boxes, count, deadlocks.walls):
        return True
    goal_costs(board.distances, boxes, board.goals, count, False, matching.costs)  # noqa: FBT003
    if assign(matching, count) >= FAR:
        return True
    if has_lost_pair(ends.pairs, ends.pairs.alive, boxes, count, stand):
        return True
    if holds_pattern(board, work, memory, ends, stand):
        return True
    if is_dead_corral(board, work, memory, boxes, count, stand, CORRAL_STATES):
        counters[C_CORRALS] += 1
        return True
    return False


@inner
def _add_state(board: Board, states: States, edges: Edges, mode: int, state: int, edge: int) -> None:
    """Write the state that *edge* leads to as number *state*."""
    parent = edges.parent[edge]
    source, target, gone = edges.source[edge], edges.target[edge], states.forced[parent]
    boxes, count = states.boxes, 0
    key = states.boxes_key[parent] ^ board.box_keys[source]
    for at in range(states.count[parent]):
        box = boxes[parent, at]
        if box != source or not gone:
            boxes[state, count] = target if box == source else box
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
        starts = states.starts
        for square in range(board.size):
            starts[state, square] = starts[parent, square]
        if gone:
            starts[state, target] = 0


@inner
def _meets(places: Table, place_keys: Table, keys: Table, first: int, counters: Table) -> bool:
    """Return whether a move from *first* on leads to a state of the other search."""
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
