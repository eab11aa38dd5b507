import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import NotWhole, PuzzleError
from solvers.knights import Board, distance, path
from solvers.knights.errors import BoardTooLarge, NoSquares, NotASquare, OffBoard


@pytest.mark.parametrize(
    ("sides", "error", "words"),
    [
        ((0, 8), NoSquares, "A board has at least one row and one column, not 0 rows and 8 columns."),
        ((8, -3), NoSquares, "A board has at least one row and one column, not 8 rows and -3 columns."),
        ((8.0, 8), NotWhole, "rows must be a whole number, not 8.0."),
        ((8, True), NotWhole, "columns must be a whole number, not true."),
        ((8, "8"), NotWhole, 'columns must be a whole number, not "8".'),
        ((8, 10**18 + 1), BoardTooLarge, "not 8 rows and 1,000,000,000,000,000,001 columns."),
    ],
)
def test_what_is_no_board_is_said(sides, error, words):
    with pytest.raises(error) as raised:
        Board(*sides)
    assert str(raised.value).endswith(words)


@pytest.mark.parametrize(
    ("square", "error", "words"),
    [
        ((0, 8), OffBoard, "Row 0, column 8 (from 0) is not on a board of 8 rows and 8 columns."),
        ((-1, 0), OffBoard, "Row -1, column 0 (from 0) is not on a board of 8 rows and 8 columns."),
        ((1, 2, 3), NotASquare, "A square is two whole numbers, its row and its column, not [1, 2, 3]."),
        ("ab", NotASquare, 'A square is two whole numbers, its row and its column, not "ab".'),
        (None, NotASquare, "A square is two whole numbers, its row and its column, not null."),
    ],
)
def test_what_is_no_square_is_said_by_count_and_path(square, error, words):
    for ask in (distance, path):
        for ends in ((square, (0, 0)), ((0, 0), square)):
            with pytest.raises(error) as raised:
                ask(Board(8, 8), *ends)
            assert str(raised.value) == words


anything = st.none() | st.booleans() | st.integers(-1, 9) | st.floats() | st.text(max_size=3)


@given(anything | st.lists(anything | st.lists(anything, max_size=2), max_size=3))
def test_whatever_stands_for_a_square_nothing_else_is_raised(given_square):
    try:
        row, column = Board(8, 8).square(given_square)
    except PuzzleError:
        return
    assert row in range(8)
    assert column in range(8)
