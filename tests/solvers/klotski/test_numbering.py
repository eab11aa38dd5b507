from hypothesis import given
from hypothesis import strategies as st

from solvers.klotski.numbering import layout_of, number


@given(st.integers(0, 363_479))
def test_a_number_leads_to_a_layout_and_back(at):
    assert number(layout_of(at)) == at
