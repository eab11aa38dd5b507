from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.logic import Formula, Quantifier
from solvers.logic.errors import NoFormula, NotALiteral


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
