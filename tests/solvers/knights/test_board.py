from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.knights import Board

anything = st.none() | st.booleans() | st.integers(-1, 9) | st.floats() | st.text(max_size=3)


@given(anything | st.lists(anything | st.lists(anything, max_size=2), max_size=3))
def test_any_text_for_a_square_is_parsed_or_raises_puzzle_error(given_square):
    try:
        row, column = Board(8, 8).square(given_square)
    except PuzzleError:
        return
    assert row in range(8)
    assert column in range(8)
