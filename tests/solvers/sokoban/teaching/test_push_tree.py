"""The breadth-first tree of pushes against `push_paths`."""

import pytest

from solvers.errors import TooMuchToDraw
from solvers.sokoban.level import Level
from solvers.sokoban.making.hall import hall
from solvers.sokoban.paths import push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.teaching import grow_push_tree, push_tree
from solvers.sokoban.teaching.floor_tree import beside
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


def _room(size: int, *, corridor: int = 0) -> Level:
    rows = ["#" * (size + corridor), *["#" + "-" * (size - 2) + "#" * (corridor + 1)] * (size - 2)]
    middle = (
        "#" + "-" * (size - 3) + "@$" + "-" * (corridor - 2) + ".#" if corridor else "#-@$" + "-" * (size - 6) + ".#"
    )
    return Level.parse("|".join([*rows[:2], middle, *rows[2:], rows[0]]))


@pytest.mark.parametrize("level", [_room(140), _room(120, corridor=19)], ids=["room", "corridor"])
def test_a_large_floor_is_refused_before_it_is_walked_again_and_again(level, monkeypatch):
    """Its page took 5.5 s of CPU for 20 KB, as each state filled the whole floor."""
    looked_at = []
    monkeypatch.setattr(push_tree, "beside", lambda *place: looked_at.append(place) or beside(*place))
    with pytest.raises(TooMuchToDraw):
        grow_push_tree(level, Position.start(level), level.boxes[0])
    assert len(looked_at) <= push_tree.MOST_WALKED


def test_more_states_than_a_picture_holds_are_refused():
    level = hall()
    with pytest.raises(TooMuchToDraw):
        grow_push_tree(level, Position.start(level), level.boxes[0])
