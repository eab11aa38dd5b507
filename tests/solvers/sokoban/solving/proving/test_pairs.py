import pytest

from solvers.sokoban.making.series import rooms
from solvers.sokoban.solving.board import FAR, make_board
from solvers.sokoban.solving.floor.matching import assign, matching_for
from solvers.sokoban.solving.proving import lower_bounds, pairs
from solvers.sokoban.solving.proving.lower_bounds import costs_to
from solvers.sokoban.solving.proving.states import live_squares
from tests.solvers.sokoban.solving.doors import door
from tests.solvers.sokoban.solving.full_search import best
from tests.solvers.sokoban.solving.small_boards import unsolved

fill_costs = door(lower_bounds.fill_costs)
more_pushes = door(pairs.more_pushes)


def test_the_pushes_of_two_boxes_equal_the_matching_plus_the_pair():
    seen = dearer = 0
    for level, board, _ in unsolved(11, 150):
        truth = best(level)
        matched, more = bounds(board)
        if matched >= FAR:
            assert not truth.is_solvable
            continue
        if len(board.boxes) == 2:
            assert matched + more == truth.pushes_then_moves[0] if truth.is_solvable else more >= FAR, str(level)
            seen += 1
            dearer += more > 0
    assert seen > 30
    assert dearer > 0


@pytest.mark.parametrize("number", [1, 2])
def test_the_extra_cost_of_pairs_is_at_most_that_of_all_boxes(number):
    matched, more = bounds(make_board(rooms(number).level))
    assert more > 0
    assert matched + more <= rooms(number).pushes


def bounds(board):
    count, squares = len(board.boxes), live_squares(board.dead)
    if (squares.bit[board.boxes] < 0).any():
        return FAR, 0
    matching = matching_for(count)
    fill_costs(board, costs_to(board, board.goals, pull=False), board.boxes, count, board.player, matching)
    matched = assign(matching, count)
    if matched >= FAR:
        return FAR, 0
    tables = pairs.pairs_of(board, squares)
    return matched, more_pushes(tables, squares.bit, board.boxes, count, board.player, matching)
