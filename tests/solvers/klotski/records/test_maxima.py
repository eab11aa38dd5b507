import numpy as np
import pytest

from solvers.klotski.searching.cover import Cover
from solvers.klotski.searching.graph import graph
from tests.solvers.klotski.layouts import XIAO_BING_TAN_LU


@pytest.mark.exhaustive
def test_a_plain_search_from_the_record_layout_confirms_the_longest_way_of_all():
    whole = graph(3)
    first, last = whole.part_bounds[:2]
    found = Cover(whole, int(first), int(last)).distances(whole.place(XIAO_BING_TAN_LU) - int(first))
    assert (int(found.max()), int(np.count_nonzero(found >= 0))) == (287, 23_461_056)
