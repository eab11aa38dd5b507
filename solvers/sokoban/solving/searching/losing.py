"""Lost states of a feature-space search: propagate losses to parents, and try to prove the best state lost.

Half of all turns go to the cell of the best state. If it is lost in a way that no test of a single state detects, they
are wasted, as are those for similar states; on hard levels this is the rule. So the longer a state has been the best,
the more states a separate search spends on proving it lost.
"""

import numpy as np

from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.deadlocks.corral_search import DEAD, slot
from solvers.sokoban.solving.deadlocks.dead_ends import Deadlocks, holds_pattern, is_dead_end
from solvers.sokoban.solving.floor.macros import put_boxes
from solvers.sokoban.solving.searching.feature_tables import C_BEST, C_LOST, C_PROOFS, C_STALE, C_STATES
from solvers.sokoban.solving.searching.tree import LOST, States, find

PATIENCE = 300  # turns as best state before the first proof attempt; each next one waits and costs four times as much
MOST_PROOFS = 4  # attempts per state


@inner
def lose(states: States, parents: Table, places: Table, keys: Table, counters: Table, state: int) -> None:
    """Record that one move of *state* (-1: none) is lost. After its last one the state is lost too, and so upwards.

    A lost state has already been reported to its parent: its remaining moves no longer count.
    """
    own, alive, via = states.own, states.alive, states.via
    while state >= 0 and own[state] >= 0:
        alive[state] -= 1
        if alive[state] <= 0:
            _mark(states, places, keys, counters, state)
            state = np.int64(parents[via[state]]) if via[state] >= 0 else np.int64(-1)  # type: ignore[assignment]
        else:
            state = np.int64(-1)  # type: ignore[assignment]


@inner
def _mark(states: States, places: Table, keys: Table, counters: Table, state: int) -> None:
    places[find(places, keys, states.key[state])] = LOST
    states.own[state] = -1
    counters[C_LOST] += 1


@inner
def best_state(own: Table, counters: Table) -> int:
    """Return the best state; if the previous one is lost, select the best that is not."""
    best = counters[C_BEST]
    if own[best] < 0:
        best = 0
        for state in range(counters[C_STATES]):
            if own[state] > own[best]:
                best = state
        counters[C_BEST] = best
        # After a state was proved lost, the next is likely to be lost in the same way.
        counters[C_STALE] = PATIENCE if counters[C_PROOFS] else 0
        counters[C_PROOFS] = 0
    return best  # type: ignore[no-any-return]


@inner
def is_doubtful(own: Table, counters: Table) -> bool:
    """Count a turn of the best state; return whether it is time for an attempt to prove it lost."""
    best = best_state(own, counters)
    counters[C_STALE] += 1
    proofs = counters[C_PROOFS]
    return own[best] >= 0 and proofs < MOST_PROOFS and counters[C_STALE] >= PATIENCE << (2 * proofs)  # type: ignore[no-any-return]


@inner
def doubt_best(
    deadlocks: Deadlocks, states: States, parents: Table, places: Table, keys: Table, counters: Table, limit: int
) -> None:
    """Try to prove the best state lost, with *limit* states at first and four times as many at each next attempt."""
    board, work, memory = deadlocks.board, deadlocks.work, deadlocks.memory
    best, limit = counters[C_BEST], limit << (2 * counters[C_PROOFS])
    counters[C_PROOFS] += 1
    boxes, count, stand = states.boxes[best], np.int64(states.count[best]), np.int64(states.stand[best])
    put_boxes(board.size, work.blocked, boxes, count)
    lost = holds_pattern(board, work, memory, deadlocks.ends, stand)
    if not lost and is_dead_end(deadlocks, boxes, count, stand, limit):
        lost = True
        for state in range(counters[C_STATES]):  # other states that the proof covers
            if state != best and states.own[state] >= 0:
                known = slot(memory, states.key[state])
                if known >= 0 and memory.verdicts[known] == DEAD:
                    _mark(states, places, keys, counters, state)
    if lost:
        states.alive[best] = 1
        lose(states, parents, places, keys, counters, best)
        best_state(states.own, counters)
