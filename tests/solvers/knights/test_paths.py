from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.knights import Board, distance, path
from solvers.knights import case as case_of
from solvers.knights.greedy import greedy_path
from tests import sizes
from tests.solvers.knights.oracle import assert_walk, distances, squares
from tests.solvers.vectors import cases

NARROW = [(1, 3), (2, 2), (2, 12), (3, 3), (3, 4), (3, 9), (4, 4), (4, 7), (5, 5), (6, 7)]


@pytest.mark.parametrize(("rows", "columns"), sizes.cases(NARROW, product(range(1, 13), repeat=2)))
def test_path_and_count_between_any_two_squares_equal_a_search(rows, columns):
    for board in (Board(rows, columns), Board(columns, rows)):
        for start in squares(board.rows, board.columns):
            found = distances(board.rows, board.columns, start)
            for target in squares(board.rows, board.columns):
                walk = path(board, start, target)
                assert distance(board, start, target) == found.get(target)
                if target not in found:
                    assert walk is None
                    continue
                assert_walk(walk := list(walk), board, start, target)
                assert len(walk) - 1 == found[target]


@given(st.data())
def test_the_path_on_a_large_board_is_as_long_as_counted(data):
    board = data.draw(st.builds(Board, st.integers(3, 400), st.integers(3, 400)))
    square = st.tuples(st.integers(0, board.rows - 1), st.integers(0, board.columns - 1))
    start, target = data.draw(square), data.draw(square)
    walk = path(board, start, target)
    count = distance(board, start, target)
    assert (walk is None) == (count is None)
    if walk is not None:
        assert_walk(walk := list(walk), board, start, target)
        assert len(walk) - 1 == count


def test_a_path_of_half_a_billion_billion_moves_begins_at_once():
    walk = path(Board(10**18, 10**18), (0, 0), (10**18 - 1, 0))
    assert list(islice(walk, 3)) == [(0, 0), (2, 1), (4, 0)]


@cases("knights")
def test_the_cases_shared_with_the_page(case):
    board = Board(case["rows"], case["columns"])
    start, target = tuple(case["from"]), tuple(case["to"])
    assert (distance(board, start, target), case_of(board, start, target).value) == (case["moves"], case["case"])


@pytest.mark.parametrize("sides", [(3, 3), (3, 7), (4, 9), (8, 8)])
def test_the_greedy_path_arrives_wherever_there_is_a_path(sides):
    board = Board(*sides)
    for start in squares(*sides):
        for target in squares(*sides):
            walk = greedy_path(board, start, target)
            if walk is not None:
                assert_walk(list(walk), board, start, target)
