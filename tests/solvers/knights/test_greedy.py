import pytest

from solvers.knights import Board
from solvers.knights.greedy import greedy_path
from tests.solvers.knights.oracle import assert_walk, squares


@pytest.mark.parametrize("sides", [(3, 3), (3, 7), (4, 9), (8, 8)])
def test_the_greedy_path_arrives_wherever_there_is_a_path(sides):
    board = Board(*sides)
    for start in squares(*sides):
        for target in squares(*sides):
            walk = greedy_path(board, start, target)
            if walk is not None:
                assert_walk(list(walk), board, start, target)
