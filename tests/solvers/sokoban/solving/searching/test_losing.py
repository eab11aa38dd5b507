import numpy as np

from solvers.sokoban.solving.searching import losing
from solvers.sokoban.solving.searching.tree import EMPTY, LOST, index_keys, states_for
from tests.solvers.sokoban.solving.doors import door

lose = door(losing.lose)


def chain(alive):
    """Return states 0, 1, 2, ..., each reached from the previous one, with *alive* moves not known to be lost."""
    count = len(alive)
    states = states_for(count, 1, 0)
    states.key[:] = np.arange(10, 10 + count)
    states.alive[:] = alive
    states.via[1:] = np.arange(count - 1)
    places, keys = np.full(16, EMPTY, np.int32), np.zeros(16, np.uint64)
    index_keys(states.key, count, places, keys)
    return states, np.arange(count - 1, dtype=np.int32), places, keys, np.zeros(16, np.int64)


def lost(tables):
    states, _, places, keys, _ = tables
    marked = {int(key) - 10 for key, place in zip(keys, places, strict=True) if place == LOST}
    assert marked == set(np.flatnonzero(states.own < 0).tolist())
    return sorted(marked)


def test_a_state_is_lost_with_its_last_move_and_so_upwards():
    tables = chain([2, 1, 2])
    lose(*tables, -1)
    lose(*tables, 2)
    assert lost(tables) == []
    lose(*tables, 2)
    assert lost(tables) == [1, 2]
    assert tables[0].alive[0] == 1


def test_a_lost_state_is_counted_once_at_its_parent():
    tables = chain([2, 1, 1])
    lose(*tables, 2)
    lose(*tables, 2)  # a move of it that had not been examined yet
    assert lost(tables) == [1, 2]
    assert tables[0].alive[0] == 1
