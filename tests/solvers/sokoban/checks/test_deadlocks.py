import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solvers.sokoban import Level
from solvers.sokoban.checks.deadlocks import Kind, dead_squares, deadlock, frozen_boxes, unmatched_boxes
from solvers.sokoban.level import WALL
from tests.solvers.sokoban.boards import levels
from tests.solvers.sokoban.solving.full_search import is_solvable


@pytest.mark.parametrize(
    ("board", "find", "kind"),
    [
        ("######|#.--.#|#-$$-#|#-$$@#|#.--.#|######", frozen_boxes, Kind.FROZEN),
        ("########|#-$.$@-#|########|#-----.#|########", unmatched_boxes, Kind.UNMATCHED),
    ],
)
def test_a_deadlock_is_named_with_its_boxes(board, find, kind):
    level = Level.parse(board)
    assert find(level, level.boxes) == set(level.boxes)
    assert deadlock(level, level.boxes).kind is kind


def test_a_box_frozen_on_a_goal_keeps_it():
    level = Level.parse("########|#*--.--#|#-$-@--#|#------#|########")
    assert unmatched_boxes(level, level.boxes) == frozenset()
    assert unmatched_boxes(level, [9, 18, 19]) != frozenset()


@given(levels(max_side=4, max_boxes=3), st.data())
def test_every_reported_deadlock_is_real(level, data):
    """For any positions of the boxes and the player."""
    floor = [cell for cell, content in enumerate(level.cells) if not content & WALL]
    boxes = data.draw(st.permutations(floor))[: len(level.boxes)]
    assume(deadlock(level, boxes) or dead_squares(level) & set(boxes))
    reached = [cell for cell in level.reach if cell not in boxes]
    assert not any(is_solvable(level, player, boxes) for player in reached)


def test_a_board_full_of_boxes_is_matched_in_time():
    rows = ["#" * 52, *["#" + "$" * 25 + "." * 25 + "#"] * 49, "#" + "-" * 49 + "@#", "#" * 52]
    level = Level.parse("\n".join(rows))
    assert deadlock(level, level.boxes) is not None
