"""The hall for timing path searches."""

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.making.hall import FILE, hall, make_hall
from solvers.sokoban.making.timing import find_answers
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position


def test_the_file_is_what_its_program_writes():
    assert FILE.read_text(encoding="ascii").startswith(f"{make_hall()}\nTitle:")
    assert (hall().width, hall().height, len(hall().boxes), len(hall().reach)) == (50, 50, 1, 1371)


def test_the_path_to_the_goal_solves_the_hall():
    level = hall()
    (goal,) = level.goals
    path = push_paths(level, Position.start(level), level.boxes[0], fewest=Fewest.MOVES).to(goal)
    result = replay(level, Moves.parse(path))
    assert (result.verdict, result.moves, find_answers(level).moves) == ("solved", 386, 386)


def test_a_box_that_cannot_reach_the_goal_has_no_path():
    assert find_answers(Level.parse("######|#.@$-#|######")).squares == 1
