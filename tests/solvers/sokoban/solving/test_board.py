import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.solving.board import FAR, Hopeless, make_board
from tests.solvers.sokoban.oracle import push_routes
from tests.solvers.sokoban.solving.small_boards import placed, unsolved


@pytest.mark.parametrize("text", ["#######|#@$.#.#|#######", "#####|#@$$.#|#####", "########|#@$.#$*#|########"])
def test_a_level_that_cannot_be_solved_by_counting_is_hopeless(text):
    with pytest.raises(Hopeless):
        make_board(Level.parse(text))


def test_a_box_at_home_out_of_reach_is_left_out():
    assert len(make_board(Level.parse("########|#@$.#*-#|########")).boxes) == 1


def test_a_board_has_the_distances_and_dead_squares_of_a_lone_box():
    for level, board, _ in unsolved(3, 25):
        routes = {int(cell): lone_routes(level, int(cell)) for cell in board.cells}
        for square, (cell, fewest) in enumerate(routes.items()):
            assert board.distances[square].tolist() == [fewest.get(to, FAR) for to in routes], (str(level), cell)
            assert board.dead[square] == (not fewest.keys() & set(level.goals)), (str(level), cell)
            assert board.unborn[square] == all(cell not in routes[box] for box in level.boxes), (str(level), cell)


def lone_routes(level, cell):
    """Return the fewest pushes of a box on *cell*, alone, to each cell; the player starts on its best side."""
    stands = level.reach & set(level.neighbours(cell))
    routes = [push_routes(placed(level, [cell], stand), cell)[1] for stand in stands]
    return {to: min(each[to][0] for each in routes if to in each) for to in {cell}.union(*routes)}
