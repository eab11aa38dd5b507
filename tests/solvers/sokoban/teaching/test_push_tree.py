"""The breadth-first tree of pushes against `push_paths`, and by hand."""

import pytest

from solvers.errors import TooMuchToDraw
from solvers.sokoban import Level
from solvers.sokoban.making.hall import hall
from solvers.sokoban.paths import push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.teaching import draw_push_tree, grow_push_tree
from tests import sizes
from tests.solvers.sokoban.teaching.test_floor_tree import random_level

TURN = Level.parse("######|#----#|#-@$-#|#--.-#|######")


def test_a_box_in_a_small_room_has_a_state_for_each_side_of_a_square():
    """From D3 in a room of 4 x 3 the box goes left, right and down first; a push up needs the player below."""
    start = Position.start(TURN)
    tree = grow_push_tree(TURN, start, 15)
    assert [(push.cell, push.letter) for push in tree if push.pushes == 1] == [
        (14, "L"),
        (9, "U"),
        (16, "R"),
        (21, "D"),
    ]
    svg = draw_push_tree(TURN, start, 15)
    assert svg.count('class="node') == len(tree)
    assert svg.count('class="node again"') == len(tree) - 1 - len({push.cell for push in tree} - {15})
    assert svg.count('class="node goal"') == 1


@pytest.mark.parametrize("seed", sizes.cases(range(5), range(100)))
def test_the_tree_has_the_pushes_of_the_path_search(seed):
    level = random_level(seed)
    start = Position.start(level)
    for box in level.boxes:
        fewest = {}
        for push in grow_push_tree(level, start, box)[1:]:
            fewest.setdefault(push.cell, push.pushes)
        fewest.pop(box, None)
        paths = push_paths(level, start, box)
        assert fewest == {cell: paths.pushes(cell) for cell in paths.targets}


def test_more_states_than_a_picture_holds_are_refused():
    level = hall()
    with pytest.raises(TooMuchToDraw):
        grow_push_tree(level, Position.start(level), level.boxes[0])
