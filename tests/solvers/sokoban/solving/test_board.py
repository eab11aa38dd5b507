from dataclasses import replace

import pytest
from hypothesis import given, settings

from solvers.sokoban import Level
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.board import Hopeless, make_board
from solvers.sokoban.solving.difficulty import Band, Difficulty, difficulty
from solvers.sokoban.solving.floor.hotspots import boxes_in_the_way, hotspots_for
from tests.solvers.sokoban.boards import levels


@pytest.mark.parametrize("text", ["#######|#@$.#.#|#######", "#####|#@$$.#|#####", "########|#@$.#$*#|########"])
def test_a_level_that_cannot_be_solved_by_counting_is_hopeless(text):
    with pytest.raises(Hopeless):
        make_board(Level.parse(text))


def test_a_box_at_home_out_of_reach_is_left_out():
    assert len(make_board(Level.parse("########|#@$.#*-#|########")).boxes) == 1


def test_more_of_anything_counted_is_harder_and_a_better_bound_easier():
    seen = Difficulty(pushes=20, box_changes=5, lower_bound=10, states=1000, branches=2.0, dead_ends=0.1)
    for more in ({"pushes": 21}, {"box_changes": 6}, {"states": 2000}, {"branches": 3.0}, {"dead_ends": 0.2}):
        assert replace(seen, **more).score > seen.score
    assert replace(seen, lower_bound=11).score < seen.score
    easy, hard = Level.parse("######|#@$-.#|######"), ladder(9)
    assert difficulty(easy, "RR").band is Band.EASY
    assert difficulty(hard.level, hard.solution).band >= Band.HARD


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
    board = make_board(Level.parse("#########|#@------#|#-$$--..#|#-----###|#########"))
    hot = hotspots_for(board)
    none = board.goal * 0
    first, second = board.goals.tolist()
    outer_goal_and_start = [first, int(board.boxes[0])]
    assert boxes_in_the_way(hot, none, board.goals, 2) == 0
    assert hot[first, board.boxes[0]]
    assert not hot[second, board.boxes[0]]
    assert boxes_in_the_way(hot, none, board.boxes * 0 + outer_goal_and_start, 2) == 1
    assert boxes_in_the_way(hot, board.goal, board.boxes * 0 + outer_goal_and_start, 2) == 0
