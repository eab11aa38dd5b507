import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Level
from solvers.sokoban.paths import Fewest, push_paths, reach, walk
from solvers.sokoban.position import Position
from tests import sizes
from tests.solvers.sokoban.boards import levels, step
from tests.solvers.sokoban.oracle import push_routes
from tests.solvers.sokoban.solving.full_search import random_level


def start(board):
    level = Level.parse(board)
    return level, Position.start(level)


def played(level, position, lurd):
    for letter in lurd:
        after = step(level, position, letter)
        assert not isinstance(after, str), after
        assert letter.isupper() == (after.boxes != position.boxes), "capitals stand at the pushes"
        position = after
    return position


def test_no_player_leaves_an_open_level():
    level, position = start("-@$--.")
    assert reach(level, position) == {0}
    assert push_paths(level, position, 1).targets == {2, 3, 4}


def test_only_a_box_can_be_pushed():
    level, position = start("#####|#@$.#|#####")
    with pytest.raises(ValueError, match="no box on cell 8"):
        push_paths(level, position, 8)


def test_where_the_box_cannot_be_pushed_there_is_no_path():
    level, position = start("######|#@$-.#|######")
    paths = push_paths(level, position, 8)
    assert paths.to(8) == ""
    with pytest.raises(KeyError):
        paths.to(7)


@pytest.mark.parametrize("fewest", Fewest)
@pytest.mark.parametrize("count", sizes.cases([100], [300]))
def test_pushes_to_every_square_equal_an_exhaustive_search(fewest, count):
    chance = random.Random(4)
    for _ in range(count):
        level = random_level(chance, max_side=7)
        position, box = Position.start(level), chance.choice(level.boxes)
        by_moves, by_pushes = push_routes(level, box)
        paths = push_paths(level, position, box, fewest=fewest)
        assert paths.targets | {box} == by_moves.keys()
        for target in paths.targets:
            lurd = paths.to(target)
            assert played(level, position, lurd).boxes[position.boxes.index(box)] == target
            assert sum(map(str.isupper, lurd)) == paths.pushes(target)
            if fewest is Fewest.MOVES:
                assert (len(lurd), paths.pushes(target)) == by_moves[target]
            else:
                assert paths.pushes(target) == by_pushes[target][0]


@given(levels(max_side=6), st.data())
def test_walks_are_as_short_as_an_exhaustive_search_finds(level, data):
    position = Position.start(level)
    reached = {position.player: 0}
    for cell in (todo := [position.player]):
        for after in level.neighbours(cell):
            if after not in reached and after in level.region:
                reached[after] = reached[cell] + 1
                todo.append(after)
    assert reach(level, position) == reached.keys()
    to = data.draw(st.sampled_from(sorted(reached)))
    lurd = walk(level, position, to)
    assert (len(lurd), played(level, position, lurd).player) == (reached[to], to)
