import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.knights import Board, distance, lower_bound, open_distance
from solvers.knights import case as case_of
from tests import sizes
from tests.solvers.knights.oracle import distances, squares
from tests.solvers.vectors import cases

NARROW = [*product(range(1, 5), range(1, 8)), (1, 12), (2, 12), (3, 12), (4, 12), *product(range(5, 7), repeat=2)]


def agrees(rows, columns, start):
    board, found = Board(rows, columns), distances(rows, columns, start)
    return all(distance(board, start, target) == found.get(target) for target in squares(rows, columns))


@pytest.mark.parametrize(("rows", "columns"), sizes.cases(NARROW, product(range(1, 13), repeat=2)))
def test_every_pair_of_squares_of_a_small_board_is_as_far_as_a_search_says(rows, columns):
    assert all(agrees(rows, columns, start) for start in squares(rows, columns))
    assert all(agrees(columns, rows, start) for start in squares(columns, rows))


@pytest.mark.parametrize("seed", range(4))
def test_a_board_to_60_x_60_is_as_a_search_says(seed):
    chance = random.Random(seed)
    rows, columns = chance.randint(1, 60), chance.randint(1, 60)
    starts = [(chance.randrange(rows), chance.randrange(columns)), (0, 0), (rows - 1, chance.randrange(columns))]
    assert all(agrees(rows, columns, start) for start in starts)


@pytest.mark.exhaustive
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 20, 59, 60])
def test_long_and_large_boards_are_as_a_search_says(rows):
    board_squares = squares(rows, 60)
    chance = random.Random(rows)
    starts = board_squares if rows <= 5 else chance.sample(board_squares, 40)
    assert all(agrees(rows, 60, start) for start in starts)


@cases("knights")
def test_the_cases_shared_with_the_page(case):
    board = Board(case["rows"], case["columns"])
    start, target = tuple(case["from"]), tuple(case["to"])
    assert (distance(board, start, target), case_of(board, start, target).value) == (case["moves"], case["case"])


boards = st.builds(Board, st.integers(1, 10**18), st.integers(1, 10**18))
small_boards = st.builds(Board, st.integers(1, 9), st.integers(1, 9))


@st.composite
def questions(draw, boards=boards | small_boards):
    board = draw(boards)
    row, column = st.integers(0, board.rows - 1), st.integers(0, board.columns - 1)
    return board, draw(st.tuples(row, column)), draw(st.tuples(row, column))


@given(questions())
def test_the_way_back_is_as_long_on_the_board_turned_too_and_no_path_beats_the_lower_bound(question):
    board, start, target = question
    turned = Board(board.columns, board.rows)
    there = distance(board, start, target)
    assert distance(board, target, start) == distance(turned, start[::-1], target[::-1]) == there
    down, across = abs(start[0] - target[0]), abs(start[1] - target[1])
    assert lower_bound(down, across) <= open_distance(down, across)
    assert there is None or there >= open_distance(down, across)


@given(st.integers(7, 10**18), st.data())
def test_far_away_the_first_move_lowers_the_bound_by_one(x, data):
    y = data.draw(st.integers(0, x))
    after = (x - 2, y - 1) if y else (x - 2, 1)
    assert lower_bound(*after) == lower_bound(x, y) - 1
