from hypothesis import given
from hypothesis import strategies as st

from solvers.knights import Board, distance, lower_bound, open_distance
from solvers.knights import case as case_of
from tests.solvers.vectors import cases


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
def test_the_distance_is_symmetric_and_never_below_the_lower_bound(question):
    board, start, target = question
    turned = Board(board.columns, board.rows)
    there = distance(board, start, target)
    assert distance(board, target, start) == distance(turned, start[::-1], target[::-1]) == there
    down, across = abs(start[0] - target[0]), abs(start[1] - target[1])
    assert lower_bound(down, across) <= open_distance(down, across)
    assert there is None or there >= open_distance(down, across)
