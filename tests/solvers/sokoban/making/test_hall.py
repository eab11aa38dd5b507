"""The hall for timing path searches: the right answers by an independent plain search."""

import pytest

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.making.hall import FILE, hall, make_hall
from solvers.sokoban.making.timing import find_answers
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.teaching import grow_push_tree


def test_the_file_is_what_its_program_writes():
    assert FILE.read_text(encoding="ascii").startswith(f"{make_hall()}\nTitle:")
    assert (hall().width, hall().height, len(hall().boxes), len(hall().reach)) == (50, 50, 1, 1371)


@pytest.mark.exhaustive
def test_a_search_with_a_flood_fill_for_each_state_gives_the_same_answers():
    level = hall()
    (box,) = level.boxes
    tree = grow_push_tree(level, Position.start(level), box, limit=10**6)
    fewest = {}
    for push in tree[1:]:
        fewest.setdefault(push.cell, push.pushes)
    del fewest[box]
    answers = find_answers(level)
    assert (len(fewest), max(fewest.values())) == (answers.squares, answers.pushes) == (1090, 122)
    assert len(tree) - 1 == 2_156


def test_the_path_to_the_goal_solves_the_hall():
    level = hall()
    (goal,) = level.goals
    path = push_paths(level, Position.start(level), level.boxes[0], fewest=Fewest.MOVES).to(goal)
    result = replay(level, Moves.parse(path))
    assert (result.verdict, result.moves, find_answers(level).moves) == ("solved", 386, 386)


def test_a_box_that_cannot_reach_the_goal_has_no_path():
    assert find_answers(Level.parse("######|#.@$-#|######")).squares == 1
