import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import NotWhole, PuzzleError
from solvers.knights import Board, distance, path
from solvers.knights.errors import BoardTooLarge, NoSquares, NotASquare, OffBoard


@pytest.mark.parametrize(
    ("sides", "error"), [((8, 0), NoSquares), ((8.0, 8), NotWhole), ((8, True), NotWhole), ((8, 10**19), BoardTooLarge)]
)
def test_an_invalid_board_is_refused(sides, error):
    with pytest.raises(error):
        Board(*sides)


@pytest.mark.parametrize("ask", [distance, path])
@pytest.mark.parametrize(
    ("square", "error"), [((0, 8), OffBoard), ((-1, 0), OffBoard), ((1, 2, 3), NotASquare), (None, NotASquare)]
)
def test_an_invalid_square_is_refused_by_count_and_path(ask, square, error):
    for ends in ((square, (0, 0)), ((0, 0), square)):
        with pytest.raises(error):
            ask(Board(8, 8), *ends)


anything = st.none() | st.booleans() | st.integers(-1, 9) | st.floats() | st.text(max_size=3)


@given(anything | st.lists(anything | st.lists(anything, max_size=2), max_size=3))
def test_any_text_for_a_square_is_parsed_or_raises_puzzle_error(given_square):
    try:
        row, column = Board(8, 8).square(given_square)
    except PuzzleError:
        return
    assert row in range(8)
    assert column in range(8)
