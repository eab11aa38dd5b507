"""The breadth-first tree of pushes against `push_paths`."""

import pytest

from solvers.errors import TooMuchToDraw
from solvers.sokoban.making.hall import hall
from solvers.sokoban.paths import push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.teaching import grow_push_tree
from tests import sizes
from tests.solvers.sokoban.teaching.test_floor_tree import random_level


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
