"""Open list of the exact searches: buckets by the first count; the lowest bucket is split by the second.

First and second count, here and in `astar`: pushes only; pushes, then moves; moves, then pushes.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.compiling import Table, inner
from solvers.sokoban.solving.proving.states import Store, number_in

# Cost types: (first, second) count.
PUSHES, PUSHES_MOVES, MOVES_PUSHES = 0, 1, 2
# Indices of the counters: the least first count (always a lower bound), and the state of the buckets.
FIRST, BASE, _HIGHEST, _PARTED, _LOW, _LAST = range(6)
OPEN_COUNTERS = 6
BUCKETS = 1 << 20


class Queue(NamedTuple):
    """Buckets, int32[BUCKETS]: a state plus 1, linked by `link`. *firsts* is indexed by the first count minus that of
    the start, *seconds* by the second count, for the lowest bucket of *firsts* only."""

    firsts: Table
    seconds: Table


def queue_for() -> Queue:
    """Create an empty open list; the operating system allocates its memory on first use."""
    return Queue(np.zeros(BUCKETS, np.int32), np.zeros(BUCKETS, np.int32))


@inner
def begin(queue: Queue, counters: Table, bound: int) -> None:
    """Put state 0 into the empty open list."""
    queue.firsts[0] = 1
    counters[BASE] = counters[FIRST] = bound
    counters[_PARTED] = counters[_LAST] = -1


@inner
def put(store: Store, queue: Queue, counters: Table, state: int, first: int, second: int) -> None:
    """Put a state into the open list."""
    if first == counters[_PARTED]:
        store.link[state] = queue.seconds[second]
        queue.seconds[second] = state + 1
        counters[_LOW] = min(counters[_LOW], second)
        counters[_LAST] = max(counters[_LAST], second)
    else:
        at = first - counters[BASE]
        store.link[state] = queue.firsts[at]
        queue.firsts[at] = state + 1
        counters[_HIGHEST] = max(counters[_HIGHEST], at)


@inner
def pushes_in(rest: int, man: int, heights: Table, dearest: int) -> int:
    """Return the minimum number of pushes in *rest*, the bound of the remaining moves (see `heights`)."""
    return max((rest - heights[man] + dearest - 1) // dearest, 0) if rest > 0 else 0


@inner
def take(store: Store, queue: Queue, counters: Table, aim: int, heights: Table, dearest: int) -> int:
    """Take the state with the least bound from the open list, last in first out; return -1 if it is empty."""
    while True:
        while counters[_LOW] <= counters[_LAST]:
            state = queue.seconds[counters[_LOW]] - 1
            if state >= 0:
                queue.seconds[counters[_LOW]] = store.link[state]
                return state  # type: ignore[no-any-return]
            counters[_LOW] += 1
        at = counters[FIRST] - counters[BASE]
        while at <= counters[_HIGHEST] and queue.firsts[at] == 0:
            at += 1
        counters[FIRST] = counters[_PARTED] = at + counters[BASE]
        if at > counters[_HIGHEST]:
            return -1
        _part(store, queue, counters, aim, at, heights, dearest)


@inner
def _part(store: Store, queue: Queue, counters: Table, aim: int, at: int, heights: Table, dearest: int) -> None:
    """Split bucket *at* of the first counts by the second count."""
    state = queue.firsts[at] - 1
    queue.firsts[at] = 0
    counters[_LOW] = BUCKETS
    counters[_LAST] = -1
    while state >= 0:
        following = store.link[state] - 1
        second = 0
        if aim != PUSHES:
            pushes, moves = number_in(store.rows[state], 2), int(store.moves[state])
            if aim == PUSHES_MOVES:
                second = counters[FIRST] - pushes + moves
            else:
                man = number_in(store.rows[state], 4)
                second = pushes + pushes_in(counters[FIRST] - moves, man, heights, dearest)
        store.link[state] = queue.seconds[second]
        queue.seconds[second] = state + 1
        counters[_LOW] = min(counters[_LOW], second)
        counters[_LAST] = max(counters[_LAST], second)
        state = following
