"""Hotspots: the squares where a box keeps another from a goal."""

from hypothesis import given, settings

from solvers.sokoban.level import Level
from solvers.sokoban.solving.board import Hopeless, make_board
from solvers.sokoban.solving.floor.hotspots import boxes_in_the_way, hotspots_for
from tests.solvers.sokoban.boards import levels

CORRIDOR = Level.parse("#########|#@------#|#-$$--..#|#-----###|#########")


def goals_of_lone_box(board, square, wall):
    """Return the goals to which a box on *square* can be pushed past *wall*, the player being anywhere."""
    closed = {board.size, wall}
    reached, waiting = {square}, [square]
    for here in waiting:
        for side in range(4):
            ahead, behind = (int(board.neighbours[here, way]) for way in (side, side ^ 2))
            if not {ahead, behind} & closed and ahead not in reached:
                reached.add(ahead)
                waiting.append(ahead)
    return reached & set(board.goals.tolist())


@given(levels())
@settings(max_examples=30, deadline=None)
def test_a_box_on_a_hotspot_keeps_a_box_elsewhere_from_a_goal(level):
    try:
        board = make_board(level)
    except Hopeless:
        return
    hot = hotspots_for(board)
    live = [square for square in range(board.size) if not board.dead[square]]
    for wall in live:
        for square in live:
            lost = goals_of_lone_box(board, square, board.size) - goals_of_lone_box(board, square, wall) - {wall}
            assert bool(hot[wall, square]) == bool(lost and wall != square)


def test_boxes_already_packed_are_in_nobodys_way():
    board = make_board(CORRIDOR)
    hot = hotspots_for(board)
    none = board.goal * 0
    first, second = board.goals.tolist()
    outer_goal_and_start = [first, int(board.boxes[0])]
    assert boxes_in_the_way(hot, none, board.goals, 2) == 0
    assert hot[first, board.boxes[0]]
    assert not hot[second, board.boxes[0]]
    assert boxes_in_the_way(hot, none, board.boxes * 0 + outer_goal_and_start, 2) == 1
    assert boxes_in_the_way(hot, board.goal, board.boxes * 0 + outer_goal_and_start, 2) == 0
