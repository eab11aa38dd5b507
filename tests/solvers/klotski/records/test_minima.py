import pytest

from solvers.klotski import Goal, Mirror, solve
from solvers.klotski.records.minima import crossings, displacement
from solvers.klotski.searching.cover import Cover, State
from solvers.klotski.searching.graph import graph
from tests import sizes
from tests.solvers.klotski.layouts import connected


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
