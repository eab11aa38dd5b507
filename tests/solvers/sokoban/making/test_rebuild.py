import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import Contradiction, NoPush, TooLarge
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.making import techniques
from solvers.sokoban.making.hall import FILE, hall, make_hall
from solvers.sokoban.making.rebuild import level_of
from solvers.sokoban.making.techniques import TooManyPositions, facts, find_first_goal
from solvers.sokoban.making.timing import find_answers
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.replay import play

OPEN = "########|#------#|#-$--.-#|#@-----#|########"


def test_a_level_has_at_most_200_columns():
    assert level_of("196R").width == 200
    with pytest.raises(TooLarge):
        level_of("197R")


@given(st.text("lurdLURD", max_size=60))
def test_rebuilt_levels_make_the_moves_legal_and_refusals_have_a_code(text):
    try:
        level = level_of(text)
    except (NoPush, Contradiction):
        return
    course = play(level.arena, text)
    assert level.is_closed
    assert course.blocked is None


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


def test_one_box_in_an_open_room_needs_no_technique():
    found = facts(Level.parse(OPEN))
    assert (found.needs_parking, found.needs_order, found.needs_corral) == (False, False, False)
    assert (found.first_pushes, found.good_first_pushes, found.direct) == (4, 1, 3)
    assert (found.floor, found.corners, found.walls) == (18, 4, 10)


def test_a_corridor_is_filled_from_its_end():
    level = Level.parse("##########|####--####|#..--$--@#|####-$--##|####---###|##########")
    assert find_first_goal(level) == level.goals[0]


def test_a_box_that_blocks_the_other_must_be_parked():
    """The upper box can leave its column only after the lower one was pushed to the left, away from its goal."""
    assert facts(Level.parse("#######|#---###|#*--$+#|#-#$-##|#.----#|#######")).needs_parking


def test_a_box_pushed_into_a_corridor_shuts_off_its_end():
    found = facts(Level.parse("#######|###@#.#|###-#-#|###-$-#|###---#|#######"))
    assert (found.needs_parking, found.needs_order, found.needs_corral) == (False, False, True)


def test_nothing_is_proved_of_a_level_with_too_many_positions(monkeypatch):
    monkeypatch.setattr(techniques, "MOST_POSITIONS", 3)
    with pytest.raises(TooManyPositions):
        facts(Level.parse(OPEN))
