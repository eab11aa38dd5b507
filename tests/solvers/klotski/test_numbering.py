from hypothesis import given
from hypothesis import strategies as st

from solvers.klotski.moves import layout_after
from solvers.klotski.numbering import layout_of, number, numbered_moves
from tests.solvers.klotski.layouts import layouts


@given(st.integers(0, 363_479))
def test_a_number_leads_to_a_layout_and_back(at):
    assert number(layout_of(at)) == at


@given(layouts)
def test_moves_are_numbered_as_the_layouts_they_lead_to(layout):
    for move, after in numbered_moves(layout):
        assert number(layout_after(layout, move)) == after
