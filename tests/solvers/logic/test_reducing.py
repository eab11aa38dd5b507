import itertools

import pytest

from solvers.logic import Formula, Quantifier, decide, reach, reduce_formula
from tests import sizes

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
    return [
        tuple(zip(quantifiers, range(1, count + 1), strict=True))
        for quantifiers in itertools.product(Quantifier, repeat=count)
    ]


def turns(formula):
    made = reduce_formula(formula)
    return reach(made.graph, made.heads, made.goal)


OF_TWO = [(prefix, clauses) for prefix in prefixes(2) for clauses in (NARROW, PAIRS)]


@pytest.mark.parametrize(
    ("prefix", "clauses"),
    sizes.cases(OF_TWO[::2], [*OF_TWO, *((prefix, OF_THREE) for prefix in prefixes(3))]),
    ids=lambda one: f"{len(one)}",
)
def test_the_last_edge_turns_exactly_where_the_formula_is_true(prefix, clauses):
    formulas = [Formula(prefix, each) for each in clauses]
    assert [formula for formula in formulas if (turns(formula) is not None) != decide(formula).is_true] == []
