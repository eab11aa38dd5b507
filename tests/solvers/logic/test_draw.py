import re
from itertools import combinations, combinations_with_replacement, product

import pytest

from solvers.logic import Formula, reduce_formula
from solvers.logic.draw import svg
from solvers.logic.formulas import Quantifier
from solvers.logic.placing import place
from tests import sizes

DIFFERENT = Formula.parse("p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n")


def clauses_of(variables):
    literals = [literal for variable in range(1, variables + 1) for literal in (variable, -variable)]
    return [clause for size in range(1, len(literals) + 1) for clause in combinations(literals, size)]


@pytest.mark.parametrize("prefix", sizes.cases(["ea"], ["a", "e", *map("".join, product("ae", repeat=2))]))
def test_every_small_formula_is_drawn_with_each_edge_on_a_line_of_its_own(prefix):
    """Including a formula in which both edges of a variable lead to the same clause."""
    prefix = tuple((Quantifier(kind), variable) for variable, kind in enumerate(prefix, 1))
    known = clauses_of(len(prefix))
    for clauses in [*product(known), *combinations_with_replacement(known, 2)]:
        formula = Formula(prefix, clauses)
        made = reduce_formula(formula)
        assert svg(formula, made)
        lines = place(made.graph).lines.values()
        assert len(set(lines)) == len(lines)


def test_a_title_is_escaped():
    assert "<title>&lt;x&gt;</title>" in svg(DIFFERENT, reduce_formula(DIFFERENT), title="<x>")
    assert re.search(r'viewBox="[-. 0-9]+" width="\d+" height="\d+"', svg(DIFFERENT, reduce_formula(DIFFERENT)))
