import pytest

from solvers.errors import TooMuchToDraw
from solvers.games import Player
from solvers.games.batch import answer
from solvers.games.game_tree import grow_game_tree

TASKS = {"nim": [2, 2], "kayles": [4], "chomp": [3, 2], "notakto": ["XX-XX----"]}


def values(node):
    following = {values(child) for child in node.children}
    value = min(set(range(len(following) + 1)) - following)
    assert (node.note, "zero" in node.kind) == (str(value), value == 0)
    return value


@pytest.mark.parametrize(("game", "position"), TASKS.items())
def test_each_position_has_the_least_value_that_no_next_one_has(game, position):
    task = {"game": game, "position": position}
    root, value = grow_game_tree(task)
    assert values(root) == value == answer(task, Player())["grundy"]


@pytest.mark.parametrize("position", [[10**17], [5, 5, 5]])
def test_a_large_game_is_refused_at_once(position):
    with pytest.raises(TooMuchToDraw):
        grow_game_tree({"game": "nim", "position": position})
