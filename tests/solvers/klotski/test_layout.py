from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.klotski import Layout
from solvers.klotski.numbering import layout_of, number
from tests.solvers.klotski.layouts import layouts


@given(st.text(alphabet="CHVo.ab12兵 \n|/x", max_size=60) | st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_message(text):
    with suppress(PuzzleError):
        layout = Layout.parse(text)
        assert len(layout.pieces) == 10
        assert layout.cells.count(".") == 2


@given(layouts)
def test_a_layout_is_the_same_after_writing_and_reading(layout):
    assert Layout.parse(str(layout)) == layout
    named = layout.with_names()
    assert Layout.parse(named.named_text) == named


@given(st.integers(0, 363_479))
def test_a_number_leads_to_a_layout_and_back(at):
    assert number(layout_of(at)) == at
