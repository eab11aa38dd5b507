import numpy as np
import pytest

from solvers.klotski import Mirror
from solvers.klotski.moves import layout_after, legal_moves
from solvers.klotski.numbering import CLASSES
from solvers.klotski.searching.cover import Cover, State
from solvers.klotski.searching.graph import graph
from tests.solvers.klotski.layouts import some
from tests.solvers.klotski.oracle import board, distances


@pytest.mark.parametrize("layout", some(8), ids=lambda layout: layout.cells)
def test_the_graph_has_the_moves_and_images_of_a_layout(layout):
    whole = graph(layout.horizontals)
    place = whole.place(layout)
    assert whole.layout(place) == layout
    targets = whole.targets[whole.starts[place] : whole.starts[place + 1]]
    assert {whole.layout(int(target)) for target in targets} == {
        layout_after(layout, move) for move in legal_moves(layout)
    }
    for mirror in Mirror:
        assert whole.layout(whole.image(mirror, place)) == layout.reflect(mirror)


def test_the_classes_fall_into_as_many_parts_as_published():
    assert [len(graph(horizontals).part_bounds) - 1 for horizontals in CLASSES] == [80, 898, 2653, 2609, 1729, 505]


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
