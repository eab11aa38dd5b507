from solvers.sokoban import Level
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.answers import Aim
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.exact import prove
from solvers.sokoban.solving.proving.heights import raise_costs
from solvers.sokoban.solving.proving.lower_bounds import costs_to
from solvers.sokoban.solving.proving.symmetries import symmetries

FAR_GOALS = "##########|#@-----.-#|#-$-----.#|#-$------#|#--------#|##########"


def high(level):
    board = make_board(level)
    return board, raise_costs(board, symmetries(board), costs_to(board, board.goals, pull=False))


def test_a_step_gains_one_in_height_at_most_and_no_solution_ends_above_0():
    for level in (Level.parse(FAR_GOALS), ladder(6).level):
        board, costs = high(level)
        for square in range(board.size):
            for there in board.neighbours[square]:
                assert there == board.size or abs(int(costs.heights[square]) - int(costs.heights[there])) <= 1
        beside = board.neighbours[board.goals].ravel()
        assert (costs.heights[beside[beside < board.size]] <= 0).all()


def test_the_way_back_for_the_next_box_counts():
    level = Level.parse(FAR_GOALS)
    board, costs = high(level)
    assert costs.dearest == 2
    early = prove(level, Aim.MOVES)
    pushes = prove(level, Aim.PUSHES)
    assert early.lower_bound_moves == early.moves <= pushes.moves
    nearest = [int(costs.pushes[costs.row[4 * box : 4 * box + 4]].min()) for box in board.boxes]
    assert pushes.pushes + 4 < sum(nearest) + int(costs.heights[board.player]) <= early.moves
