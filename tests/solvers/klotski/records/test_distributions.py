from collections import Counter

import pytest

from solvers.klotski.numbering import CLASSES, automaton, firsts
from solvers.klotski.records.distributions import Measure, compute, counts
from solvers.klotski.searching.graph import exit_distances


@pytest.mark.exhaustive
def test_the_file_equals_a_new_computation():
    assert compute(range(5, 6)) == {measure: [rows[5]] for measure, rows in counts().items()}


def test_the_distances_to_the_exit_agree_with_the_atlas():
    for horizontals in CLASSES:
        ours = Counter(exit_distances()[slice(*firsts()[horizontals : horizontals + 2])].tolist())
        assert counts()[Measure.CLASSIC][horizontals] == [ours[at] for at in range(max(ours) + 1)]


def test_every_layout_has_a_farthest_one():
    assert [sum(row) for row in counts()["eccentricity"]] == [automaton(at).size for at in CLASSES]
