import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.making import techniques
from solvers.sokoban.making.techniques import TooManyPositions, facts, find_first_goal

OPEN = "########|#------#|#-$--.-#|#@-----#|########"


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
