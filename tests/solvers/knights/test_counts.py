from solvers.knights import Board, distance
from solvers.knights import case as case_of
from tests.solvers.vectors import cases


@cases("knights")
def test_the_cases_shared_with_the_page(case):
    board = Board(case["rows"], case["columns"])
    start, target = tuple(case["from"]), tuple(case["to"])
    assert (distance(board, start, target), case_of(board, start, target).value) == (case["moves"], case["case"])
