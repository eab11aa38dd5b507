import numpy as np
import pytest

from solvers.klotski import Mirror
from solvers.klotski.records.maxima import FARTHEST, Maxima, maxima_of, tighten
from solvers.klotski.records.minima import displacement
from solvers.klotski.searching.cover import Cover
from solvers.klotski.searching.exhaustive import answers
from solvers.klotski.searching.graph import graph
from tests.solvers.klotski.layouts import XIAO_BING_TAN_LU, connected


def test_without_names_the_maxima_equal_a_search_from_every_layout():
    whole, found = graph(5), Maxima()
    maxima_of(5, found, is_named=False)
    leads = np.flatnonzero(whole.leads)
    for record, row in zip(found.records, answers(whole, leads), strict=True):
        farthest = leads[row == row.max()]
        assert record.value == row.max()
        assert {layout.cells for layout in record.layouts} == {whole.layout(int(place)).cells for place in farthest}


def test_bounds_from_any_pivot_hold_the_exact_answers_of_random_layouts():
    whole = graph(5)
    cover = Cover(whole)
    pivot = whole.place(connected(1, 5, seed=8)[0])
    asked = np.array(sorted({whole.place(layout) for layout in connected(2, 5, seed=9)}))
    lower, upper = np.full((4, whole.size), -1, np.int16), np.full((4, whole.size), 1 << 14, np.int16)
    tighten(cover, cover.distances(pivot), asked, lower, upper)
    same = [place for place in asked if whole.parts[place] == whole.parts[pivot]]
    assert len(same) == 2
    for place in same:
        for at, mirror in enumerate(Mirror):
            exact = displacement(cover, int(place), mirror)
            assert lower[at, place] <= exact <= upper[at, place] < 1 << 14
    exact = int(cover.distances(same[0]).max())
    assert lower[FARTHEST, same[0]] <= exact <= upper[FARTHEST, same[0]]


@pytest.mark.exhaustive
def test_a_plain_search_from_the_record_layout_confirms_the_longest_way_of_all():
    whole = graph(3)
    first, last = whole.part_bounds[:2]
    found = Cover(whole, int(first), int(last)).distances(whole.place(XIAO_BING_TAN_LU) - int(first))
    assert (int(found.max()), int(np.count_nonzero(found >= 0))) == (287, 23_461_056)
