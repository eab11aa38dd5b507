import pytest

from solvers.errors import TooMuchToDraw
from solvers.games import Player
from solvers.games.batch import answer
from solvers.games.game_tree import grow_game_tree

TASKS = [
    {"game": "nim", "position": [2, 2]},
    {"game": "kayles", "position": [4]},
    {"game": "chomp", "position": [3, 2]},
    {"game": "notakto", "position": ["XX-XX----"]},
]


def values(node):
    following = {values(child) for child in node.children}
    value = min(set(range(len(following) + 1)) - following)
    assert (node.note, "zero" in node.kind) == (str(value), value == 0)
    return value


@pytest.mark.parametrize("task", TASKS)
def test_each_position_has_the_least_value_that_no_next_one_has(task):
    root, value = grow_game_tree(task)
    assert values(root) == value == answer(task, Player())["grundy"]


@pytest.mark.parametrize("position", [[10**17], [5, 5, 5]])
def test_a_large_game_is_refused_at_once(position):
    with pytest.raises(TooMuchToDraw):
        grow_game_tree({"game": "nim", "position": position})
