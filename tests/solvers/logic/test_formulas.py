from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.logic import Formula, Quantifier
from solvers.logic.errors import (
    NoEndOfLine,
    NoFormula,
    NoSuchVariable,
    NotALiteral,
    NotQuantified,
    QuantifiedLate,
    QuantifiedTwice,
    TooManyVariables,
    WrongNumberOfClauses,
)


@st.composite
def formulas(draw, most_variables=5, most_clauses=6):
    """Formulas of any prefix, with empty clauses and literals said twice among them."""
    variables = draw(st.permutations(range(1, draw(st.integers(1, most_variables)) + 1)))
    prefix = tuple((draw(st.sampled_from(Quantifier)), variable) for variable in variables)
    literals = st.sampled_from([sign * variable for variable in variables for sign in (1, -1)])
    clauses = draw(st.lists(st.lists(literals, max_size=4).map(tuple), max_size=most_clauses))
    return Formula(prefix, tuple(clauses))


@given(formulas())
def test_what_is_written_is_read_back(formula):
    assert Formula.parse(str(formula)) == formula


def test_remarks_blank_lines_and_blanks_mean_nothing():
    assert Formula.parse("c a remark\n\n  p  cnf 2 1\nc\n e 1\t2 0\n 1 -2   0\n\n").clauses == ((1, -2),)


def test_what_is_quantified_nowhere_is_existential_and_outermost():
    exists, forall = Quantifier.EXISTS, Quantifier.FORALL
    assert Formula.parse("p cnf 3 0\na 2 0\n").prefix == ((exists, 1), (exists, 3), (forall, 2))
    assert Formula.parse("p cnf 2 0").prefix == ((exists, 1), (exists, 2))


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("", NoFormula, 1),
        ("1 2 0", NoFormula, 1),
        ("c only\np cnf x 1\n", NoFormula, 2),
        ("c only\np cnf 1000001 0\n", TooManyVariables, 2),
        ("p cnf 1" + "0" * 5000 + " 0\n", TooManyVariables, 1),
        ("p cnf 1 1" + "0" * 5000, NoFormula, 1),
        ("p cnf \u0663 0\n", NoFormula, 1),
        ("p cnf 2 1\n1 two 0", NotALiteral, 2),
        ("p cnf 2 1\n1 --2 0", NotALiteral, 2),
        ("p cnf 2 1\n1 ² 0", NotALiteral, 2),
        ("p cnf 2 1\n1 2", NoEndOfLine, 2),
        ("p cnf 2 1\n1 0 2 0", NoEndOfLine, 2),
        ("p cnf 2 1\na 1\n1 0", NoEndOfLine, 2),
        ("p cnf 2 1\n\n3 0", NoSuchVariable, 3),
        ("p cnf 2 1\na 3 0\n1 0", NoSuchVariable, 2),
        ("p cnf 2 1\na -1 0\n1 0", NotALiteral, 2),
        ("p cnf 2 1\na 1 0\ne 1 0\n1 0", QuantifiedTwice, 3),
        ("p cnf 2 1\n1 0\ne 1 0", QuantifiedLate, 3),
        ("p cnf 2 2\n1 0\n", WrongNumberOfClauses, None),
        ("p cnf 2 0\n1 0\n", WrongNumberOfClauses, None),
    ],
)
def test_a_fault_is_named_with_its_line(text, kind, line):
    with pytest.raises(kind) as caught:
        Formula.parse(text)
    assert caught.value.line == line


@given(st.text(alphabet="pcnfae 0123-\n", max_size=60))
def test_any_text_is_read_or_refused_in_words(text):
    with suppress(PuzzleError):
        assert Formula.parse(str(Formula.parse(text)))


def test_a_formula_made_in_python_has_one_quantifier_for_each_variable():
    with pytest.raises(NotQuantified):
        Formula(((Quantifier.EXISTS, 2),), ())
    with pytest.raises(NoSuchVariable):
        Formula(((Quantifier.EXISTS, 1),), ((2,),))
