import numpy as np
import pytest

from solvers.klotski import Layout, Mirror
from solvers.klotski.searching.arrangements import arrangements, orders
from solvers.klotski.searching.cover import Cover, State
from solvers.klotski.searching.graph import graph
from tests.solvers.klotski.layouts import XIAO_BING_TAN_LU, some
from tests.solvers.klotski.oracle import board, distances

DEPTH = 6


def named(cover, start, state):
    """Return the layout of a state with the names of *start*."""
    layout = cover.graph.layout(state.layout)
    tables = arrangements(layout.horizontals)
    word, soldier = divmod(state.arrangement, 24)
    lying, standing = divmod(word, tables.verticals)
    names = {}
    for kind, order in (("o", soldier), ("H", lying), ("V", standing), ("C", 0)):
        ours = [piece.name for piece in start.pieces if piece.kind == kind]
        places = [at for at, piece in enumerate(layout.pieces) if piece.kind == kind]
        names |= {place: ours[name] for place, name in zip(places, orders(len(ours))[order], strict=True)}
    return Layout(layout.cells, tuple(names[at] for at in range(10)))


@pytest.mark.parametrize("layout", [XIAO_BING_TAN_LU, *some(4, seed=5)], ids=lambda layout: layout.cells)
def test_states_within_a_few_moves_equal_a_slow_search(layout):
    start, whole = layout.with_names(), graph(layout.horizontals)
    cover = Cover(whole)
    found = {}
    for level in cover.levels(whole.place(layout)):
        if level.distance > DEPTH:
            break
        for place in level.layouts:
            for word, bits in enumerate(level.words[place].tolist()):
                for bit in range(24):
                    if bits >> bit & 1:
                        state = State(int(place), 24 * word + bit)
                        found[board(named(cover, start, state))] = level.distance
    assert found == distances(board(start), most=DEPTH)


@pytest.mark.parametrize("layout", some(6, seed=6), ids=lambda layout: layout.cells)
def test_the_image_of_a_state_has_its_names_on_the_images_of_their_cells(layout):
    start, whole = layout.with_names(), graph(layout.horizontals)
    cover = Cover(whole)
    for mirror, at in zip(Mirror, range(3), strict=True):
        state = State(whole.place(layout))
        for _ in range(3):
            state = [*cover.neighbours(state)][-1]
            image = cover.image(at, state)
            assert named(cover, start, image) == named(cover, start, state).reflect(mirror)


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
