import numpy as np

from solvers.klotski.searching.cover import Cover, State
from solvers.klotski.searching.graph import graph
from tests.solvers.klotski.oracle import board, distances


def test_the_distances_of_a_small_component_agree_with_its_levels_and_neighbours():
    whole = graph(5)
    sizes = np.diff(whole.part_bounds)
    part = int(np.flatnonzero((sizes > 20) & (sizes < 100))[0])
    first, last = map(int, whole.part_bounds[part : part + 2])
    cover = Cover(whole, first, last)
    found = cover.distances(0)
    for layout, arrangement in np.argwhere(found >= 0)[::11].tolist():
        near = [found[state] for state in cover.neighbours(State(layout, arrangement))]
        assert max(abs(distance - found[layout, arrangement]) for distance in near) <= 1
        assert found[layout, arrangement] == 0 or min(near) == found[layout, arrangement] - 1
    start = whole.layout(first).with_names()
    slow = distances(board(start))
    assert sorted(slow.values()) == sorted(found[found >= 0].tolist())
