import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.knights import Board, Case, case, distance, lower_bound, open_distance
from tests.solvers.knights.oracle import distances, squares

PUBLISHED = [
    ((6, 6), 4),
    ((5, 7), 4),
    ((8, 9), 7),
    ((50, 50), 34),
    ((0, 7), 5),
    ((15, 80), 41),
    ((0, 8_000_000), 4_000_000),
    ((9_999_998, 10_000_000), 6_666_666),
]
NARROW = [(rows, columns) for rows in range(1, 5) for columns in range(1, 13)]
TO_SEVEN = [(rows, columns) for rows in range(5, 8) for columns in range(5, 8)]
TO_TWELVE = [(rows, columns) for rows in range(1, 13) for columns in range(1, 13)]
CASES = json.loads((Path(__file__).parents[2] / "data/knights.json").read_text())


@pytest.mark.parametrize(("target", "moves"), PUBLISHED)
def test_the_published_examples(target, moves):
    side = max(target) + 1
    assert open_distance(*target) == distance(Board(side, side), (0, 0), target) == moves


def agrees(rows, columns, start):
    board, found = Board(rows, columns), distances(rows, columns, start)
    return all(distance(board, start, target) == found.get(target) for target in squares(rows, columns))


@pytest.mark.parametrize(("rows", "columns"), NARROW + [(columns, rows) for rows, columns in NARROW] + TO_SEVEN)
def test_every_pair_of_squares_of_a_small_board_is_as_far_as_a_search_says(rows, columns):
    assert all(agrees(rows, columns, start) for start in squares(rows, columns))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("rows", "columns"), TO_TWELVE)
def test_every_pair_of_squares_to_12_x_12_is_as_far_as_a_search_says(rows, columns):
    assert all(agrees(rows, columns, start) for start in squares(rows, columns))


@pytest.mark.parametrize("seed", range(12))
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


@pytest.mark.parametrize("one", CASES, ids=lambda one: one["name"])
def test_the_cases_shared_with_the_page(one):
    board = Board(one["rows"], one["columns"])
    start, target = tuple(one["from"]), tuple(one["to"])
    assert (distance(board, start, target), case(board, start, target).value) == (one["moves"], one["case"])


boards = st.builds(Board, st.integers(1, 10**18), st.integers(1, 10**18))
small_boards = st.builds(Board, st.integers(1, 9), st.integers(1, 9))


@st.composite
def questions(draw, boards=boards | small_boards):
    board = draw(boards)
    row, column = st.integers(0, board.rows - 1), st.integers(0, board.columns - 1)
    return board, draw(st.tuples(row, column)), draw(st.tuples(row, column))


@given(questions())
def test_the_way_back_is_as_long_and_so_is_the_way_on_the_board_turned(question):
    board, start, target = question
    turned = Board(board.columns, board.rows)
    there = distance(board, start, target)
    assert distance(board, target, start) == distance(turned, start[::-1], target[::-1]) == there


@given(questions())
def test_no_path_is_shorter_than_without_borders_or_than_the_lower_bound(question):
    board, start, target = question
    down, across = abs(start[0] - target[0]), abs(start[1] - target[1])
    assert lower_bound(down, across) <= open_distance(down, across)
    there = distance(board, start, target)
    assert there is None or there >= open_distance(down, across)


@given(st.integers(7, 10**18), st.data())
def test_far_away_the_first_move_lowers_the_bound_by_one(x, data):
    y = data.draw(st.integers(0, x))
    after = (x - 2, y - 1) if y else (x - 2, 1)
    assert lower_bound(*after) == lower_bound(x, y) - 1


def test_what_is_special_about_small_boards():
    assert case(Board(3, 3), (1, 1), (0, 0)) is Case.UNREACHABLE
    assert case(Board(3, 4), (1, 1), (1, 2)) is Case.INNER_PAIR
    assert case(Board(3, 9), (1, 4), (1, 6)) is Case.MIDDLE_ROW
    assert case(Board(4, 9), (0, 0), (3, 0)) is Case.CORNERS
    assert case(Board(8, 8), (7, 7), (6, 6)) is Case.CORNER
    assert case(Board(2, 9), (0, 0), (1, 2)) is Case.TWO_ROWS
    assert case(Board(1, 9), (0, 0), (0, 2)) is Case.UNREACHABLE
