import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.knights import Board, Leaper
from solvers.knights.errors import TooManySquares
from tests.solvers.knights.oracle import assert_walk, distances, squares

anything = st.none() | st.booleans() | st.integers(-1, 9) | st.floats() | st.text(max_size=3)


@example([1, 2, 3])
@given(anything | st.lists(anything | st.lists(anything, max_size=2), max_size=3))
def test_any_text_for_a_square_is_parsed_or_raises_puzzle_error(given_square):
    try:
        row, column = Board(8, 8).square(given_square)
    except PuzzleError:
        return
    assert row in range(8)
    assert column in range(8)


def leaps_of(a, b):
    return [(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)]


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 4), st.integers(1, 4), st.data())
def test_a_leaper_agrees_with_a_plain_search(rows, columns, a, b, data):
    start = data.draw(st.sampled_from(squares(rows, columns)))
    target = data.draw(st.sampled_from(squares(rows, columns)))
    board, piece = Board(rows, columns), Leaper(a, b)
    count = distances(rows, columns, start, leaps_of(a, b)).get(target)
    assert piece.distance(board, start, target) == count
    walk = piece.path(board, start, target)
    if count is None:
        assert walk is None
    else:
        assert_walk(walk := list(walk), board, start, target, leaps_of(a, b))
        assert len(walk) - 1 == count


def test_a_board_too_large_to_search_is_refused_before_the_search():
    with pytest.raises(TooManySquares):
        Leaper(1, 3).distance(Board(1001, 1000), (0, 0), (1, 1))
