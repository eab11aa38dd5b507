import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solvers.logic import ConstraintGraph, Edge, Formula, Quantifier, explore, reach, reduce_formula
from solvers.logic.errors import TooManyConfigurations


@st.composite
def graphs(draw):
    vertices = draw(st.integers(1, 4))
    ends = st.integers(0, vertices - 1)
    edges = draw(st.lists(st.builds(Edge, ends, ends, st.sampled_from((1, 2))), min_size=1, max_size=7))
    return ConstraintGraph(vertices, tuple(edges))


def configurations(graph):
    for heads in itertools.product(*((edge.one, edge.other) for edge in graph.edges)):
        inflow = dict.fromkeys(range(graph.vertices), 0)
        for edge, head in zip(graph.edges, heads, strict=True):
            inflow[head] += edge.weight
        if min(inflow.values()) >= 2:
            yield heads


def fewest_turns(graph, start, goal):
    legal, ring, seen = set(configurations(graph)), {start}, {start}
    turns = 0
    while ring:
        if any(heads[goal[0]] == goal[1] for heads in ring):
            return turns
        turns += 1
        ring = {
            other
            for other in legal - seen
            for heads in ring
            if sum(one != two for one, two in zip(heads, other, strict=True)) == 1
        }
        seen |= ring
    return None


@given(graphs(), st.data())
def test_the_fewest_turns_are_found_or_none(graph, data):
    starts = list(configurations(graph))
    assume(starts)
    start = data.draw(st.sampled_from(starts))
    number = data.draw(st.integers(0, len(graph.edges) - 1))
    edge = graph.edges[number]
    goal = number, data.draw(st.sampled_from((edge.one, edge.other)))
    found = reach(graph, start, goal)
    assert (None if found is None else len(found)) == fewest_turns(graph, start, goal)
    heads = list(start)
    for turned in found or ():
        heads[turned] = graph.edges[turned].one + graph.edges[turned].other - heads[turned]
        graph.check(heads)
    assert found is None or heads[number] == goal[1]


def test_a_search_stops_at_its_limit_of_configurations():
    made = reduce_formula(Formula(((Quantifier.EXISTS, 1),), ((1, -1), (1,))))
    met = explore(made.graph, made.heads, made.goal).met
    assert explore(made.graph, made.heads, made.goal, most=met).turns is not None
    with pytest.raises(TooManyConfigurations):
        explore(made.graph, made.heads, made.goal, most=met // 2)
