import itertools
from collections import Counter

import pytest

from solvers.logic import Formula, Quantifier, decide, reach, reduce_formula
from solvers.logic.errors import ManyNeeded

TWO = ((Quantifier.EXISTS, 1), (Quantifier.EXISTS, 2))
CLAUSES = [clause for size in range(1, 5) for clause in itertools.combinations((1, -1, 2, -2), size)]
PAIRS = list(itertools.combinations_with_replacement(CLAUSES, 2))
NARROW = [pair for pair in PAIRS if max(map(len, pair)) <= 2]


def turns(formula):
    made = reduce_formula(formula)
    return reach(made.graph, made.heads, made.goal)


@pytest.mark.parametrize("pair", NARROW, ids=str)
def test_the_last_edge_turns_exactly_where_the_formula_can_be_true(pair):
    formula = Formula(TWO, pair)
    assert (turns(formula) is not None) == decide(formula).is_true


@pytest.mark.slow
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair not in NARROW], ids=str)
def test_so_it_does_for_all_formulas_of_two_variables_and_two_clauses(pair):
    formula = Formula(TWO, pair)
    assert (turns(formula) is not None) == decide(formula).is_true


@pytest.mark.parametrize(
    "clauses",
    [((1, 2), (-1, 2), (1, -2)), ((1, 2), (-1,), (-2,)), ((1,), (2,), (-1, -2)), ((1, 2, 3), (-1, -2), (-3,))],
)
def test_so_it_does_for_three_clauses(clauses):
    prefix = tuple((Quantifier.EXISTS, variable) for variable in range(1, 4))
    formula = Formula(prefix, clauses)
    assert (turns(formula) is not None) == decide(formula).is_true


def test_each_vertex_is_an_and_an_or_or_joins_edges_by_two():
    graph = reduce_formula(Formula(TWO, ((1, 2, -1), (1, -2), (1,)))).graph
    kinds = {
        tuple(sorted(graph.edges[number].weight for number in graph.at[vertex])) for vertex in range(graph.vertices)
    }
    assert kinds == {(1, 1, 2), (2, 2, 2), (2, 2), (1, 2, 2)}


def test_the_graph_grows_as_the_formula_does():
    def edges(copies):
        return len(reduce_formula(Formula(TWO, ((1, -2),) * copies)).graph.edges)

    steps = Counter(edges(copies + 1) - edges(copies) for copies in range(2, 20))
    assert len(steps) == 1


def test_what_it_does_not_take_is_refused():
    forall = ((Quantifier.FORALL, 1),)
    for formula in (Formula(forall, ((1,),)), Formula(TWO, ()), Formula(TWO, ((1,), ()))):
        with pytest.raises(ManyNeeded):
            reduce_formula(formula)
