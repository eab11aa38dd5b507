import itertools

import pytest

from solvers.logic import Formula, Quantifier, decide, reach, reduce_formula
from solvers.logic.errors import NothingToReduce

EXISTS, FORALL = Quantifier.EXISTS, Quantifier.FORALL
TWO = ((EXISTS, 1), (EXISTS, 2))
CLAUSES = [clause for size in range(1, 5) for clause in itertools.combinations((1, -1, 2, -2), size)]
PAIRS = list(itertools.combinations_with_replacement(CLAUSES, 2))
NARROW = [pair for pair in PAIRS if max(map(len, pair)) <= 2]
OF_THREE = [
    ((1, 2), (-1, 3)),
    ((1, -2), (-1, 2), (3,)),
    ((1, -3), (-1, 3), (2, -2)),
    ((1, 2, 3), (-1, -2, -3)),
    ((2, 3), (-2, -3), (1, -1)),
]


def prefixes(count):
    """Every quantifier for each of so many variables."""
    return [
        tuple(zip(quantifiers, range(1, count + 1), strict=True))
        for quantifiers in itertools.product(Quantifier, repeat=count)
    ]


def letters(prefix):
    return "".join(quantifier for quantifier, _variable in prefix)


def turns(formula):
    made = reduce_formula(formula)
    return reach(made.graph, made.heads, made.goal)


def differing(formulas):
    return [formula for formula in formulas if (turns(formula) is not None) != decide(formula).is_true]


@pytest.mark.parametrize("prefix", prefixes(2), ids=letters)
def test_the_last_edge_turns_exactly_where_the_formula_is_true(prefix):
    assert differing(Formula(prefix, pair) for pair in NARROW) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("prefix", prefixes(2), ids=letters)
def test_so_it_does_for_all_formulas_of_two_variables_and_two_clauses(prefix):
    assert len(PAIRS) == 120
    assert differing(Formula(prefix, pair) for pair in PAIRS if pair not in NARROW) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("clauses", OF_THREE, ids=str)
def test_so_it_does_for_three_variables(clauses):
    assert differing(Formula(prefix, clauses) for prefix in prefixes(3)) == []


def test_each_vertex_is_an_and_an_or_or_joins_edges_by_two():
    graph = reduce_formula(Formula(((FORALL, 1), (FORALL, 2)), ((1, 2, -1), (1, -2), (1,)))).graph
    kinds = {
        tuple(sorted(graph.edges[number].weight for number in graph.at[vertex])) for vertex in range(graph.vertices)
    }
    assert kinds == {(1, 1, 2), (2, 2, 2), (2, 2), (1, 2, 2)}


def test_what_it_does_not_take_is_refused():
    for formula in (Formula(TWO, ()), Formula(TWO, ((1,), ()))):
        with pytest.raises(NothingToReduce):
            reduce_formula(formula)
