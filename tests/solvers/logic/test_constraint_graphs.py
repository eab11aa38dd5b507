import pytest

from solvers.logic import ConstraintGraph, Edge, reach
from solvers.logic.errors import BadEdge, BadOrientation, TooLittleInflow


def test_faults_are_named():
    with pytest.raises(BadEdge):
        ConstraintGraph(1, (Edge(0, 1, 2),))
    with pytest.raises(BadEdge):
        ConstraintGraph(2, (Edge(0, 1, 3),))
    pair = ConstraintGraph(2, (Edge(0, 1, 2), Edge(0, 1, 2)))
    pair.check((0, 1))
    with pytest.raises(TooLittleInflow):
        pair.check((1, 1))
    for heads in ((0,), (0, 5)):
        with pytest.raises(BadOrientation):
            pair.check(heads)
    with pytest.raises(TooLittleInflow):
        reach(pair, (0, 0), (0, 1))
