import itertools
import re
from contextlib import suppress
from itertools import combinations, combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.logic import Formula, Quantifier, decide, reach, reduce_formula
from solvers.logic.draw import svg
from solvers.logic.errors import NoFormula, NotALiteral
from solvers.logic.placing import place
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
DIFFERENT = Formula.parse("p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n")


@st.composite
def formulas(draw, most_variables=5, most_clauses=6):
    """Draw formulas with any prefix, some with empty clauses and repeated literals."""
    variables = draw(st.permutations(range(1, draw(st.integers(1, most_variables)) + 1)))
    prefix = tuple((draw(st.sampled_from(Quantifier)), variable) for variable in variables)
    literals = st.sampled_from([sign * variable for variable in variables for sign in (1, -1)])
    clauses = draw(st.lists(st.lists(literals, max_size=4).map(tuple), max_size=most_clauses))
    return Formula(prefix, tuple(clauses))


@given(formulas())
def test_written_text_can_be_read_back(formula):
    assert Formula.parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("text", "kind"),
    [("p cnf \u0663 0\n", NoFormula), ("p cnf 2 1\n1 --2 0", NotALiteral), ("p cnf 2 1\n1 ² 0", NotALiteral)],
)
def test_numbers_are_plain_digits(text, kind):
    with pytest.raises(kind):
        Formula.parse(text)


@given(st.text(alphabet="pcnfae 0123-\n", max_size=60))
def test_any_text_is_read_or_refused_with_its_message(text):
    with suppress(PuzzleError):
        assert Formula.parse(str(Formula.parse(text)))


def by_table(formula, setting=()):
    if len(setting) < len(formula.prefix):
        quantifier, variable = formula.prefix[len(setting)]
        both = [by_table(formula, (*setting, (variable, value))) for value in (False, True)]
        return any(both) if quantifier is Quantifier.EXISTS else all(both)
    values = dict(setting)
    return all(any(values[abs(literal)] == (literal > 0) for literal in clause) for clause in formula.clauses)


@given(formulas())
def test_the_truth_of_a_formula_equals_its_truth_table(formula):
    found = decide(formula)
    assert found.is_true == by_table(formula)
    assert found.most_values <= len(formula.prefix)


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


@pytest.mark.parametrize("prefix", sizes.cases(["ea"], ["a", "e", *map("".join, product("ae", repeat=2))]))
def test_every_small_formula_is_drawn_with_each_edge_on_a_line_of_its_own(prefix):
    """Including a formula in which both edges of a variable lead to the same clause."""
    prefix = tuple((Quantifier(kind), variable) for variable, kind in enumerate(prefix, 1))
    literals = [literal for _quantifier, variable in prefix for literal in (variable, -variable)]
    known = [clause for size in range(1, len(literals) + 1) for clause in combinations(literals, size)]
    for clauses in [*product(known), *combinations_with_replacement(known, 2)]:
        formula = Formula(prefix, clauses)
        made = reduce_formula(formula)
        assert svg(formula, made)
        lines = place(made.graph).lines.values()
        assert len(set(lines)) == len(lines)


def test_a_title_is_escaped():
    assert "<title>&lt;x&gt;</title>" in svg(DIFFERENT, reduce_formula(DIFFERENT), title="<x>")
    assert re.search(r'viewBox="[-. 0-9]+" width="\d+" height="\d+"', svg(DIFFERENT, reduce_formula(DIFFERENT)))
