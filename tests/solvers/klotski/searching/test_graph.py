import pytest

from solvers.klotski import Mirror
from solvers.klotski.moves import layout_after, legal_moves
from solvers.klotski.numbering import CLASSES
from solvers.klotski.searching.graph import graph
from tests.solvers.klotski.layouts import some


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
