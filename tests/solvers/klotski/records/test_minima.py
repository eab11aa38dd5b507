import numpy as np
import pytest

from solvers.klotski import Goal, Mirror, solve
from solvers.klotski.records.minima import crossings, displacement, minimum, ring
from solvers.klotski.searching.cover import Cover, State
from solvers.klotski.searching.exhaustive import answers
from solvers.klotski.searching.graph import graph
from tests import sizes
from tests.solvers.klotski.layouts import connected


def test_without_names_the_minima_equal_a_search_from_every_layout():
    whole = graph(5)
    leads = np.flatnonzero(whole.leads)
    every = answers(whole, leads)
    for at, mirror in [(1, Mirror.UPSIDE_DOWN), (2, Mirror.ROTATED)]:
        least = every[at][every[at] >= 0].min()
        nearest = {whole.layout(int(place)).cells for place in leads[every[at] == least]}
        found = minimum(mirror, is_named=False)
        assert found.value == least
        assert {layout.cells for layout in found.layouts if layout.horizontals == 5} == nearest


def test_half_the_way_finds_the_distance_of_the_whole_search():
    whole = graph(5)
    cover = Cover(whole)
    place = whole.place(connected(1, 5, seed=8)[0])
    distances = cover.distances(place)
    for at, mirror in enumerate(Mirror):
        assert displacement(cover, place, mirror) == distances[cover.image(at, State(place))]
        assert displacement(cover, place, mirror, limit=10) is None


@pytest.mark.parametrize("mirror", sizes.cases([Mirror.ROTATED], Mirror))
def test_every_shortest_way_to_the_image_makes_a_crossing(mirror):
    for layout in connected(2, 5, seed=15):
        way = solve(layout, Goal(mirror.value), is_strict=True)
        whole = graph(layout.horizontals)
        met = set(crossings(whole, mirror).tolist())
        leads = [int(min(place, whole.images[:, place].min())) for place in map(whole.place, way.layouts())]
        assert met & set(leads)


def test_a_ring_is_as_near_everywhere():
    whole = graph(5)
    cover = Cover(whole)
    place, value = next(
        (int(place), value)
        for place in crossings(whole, Mirror.ROTATED)
        if (value := displacement(cover, int(place), Mirror.ROTATED, 50))
    )
    found = ring(cover, place, Mirror.ROTATED, value)
    assert (value, len(found)) == (48, 30)
    assert all(displacement(cover, whole.place(layout), Mirror.ROTATED) == 48 for layout in found[::5])
