from heapq import heappop, heappush

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.sokoban import Level
from solvers.sokoban.paths import Fewest, push_paths, reach, walk
from solvers.sokoban.position import Position
from tests.solvers.sokoban.boards import DIRECTIONS, levels, step


def start(board):
    level = Level.parse(board)
    return level, Position.start(level)


def played(level, position, lurd):
    for letter in lurd:
        after = step(level, position, letter)
        assert after, "an impossible step"
        assert letter.isupper() == (after.boxes != position.boxes), "capitals stand at the pushes"
        position = after
    return position


def all_ways(level, position, box, cost_of_step):
    """Cheapest (cost, ...) to every cell of the box: Dijkstra over every single step of the player."""
    number = position.boxes.index(box)
    heap, done, best = [((0, 0), position.player, position.boxes)], set(), {}
    while heap:
        cost, player, boxes = heappop(heap)
        if (player, boxes) in done:
            continue
        done.add((player, boxes))
        best.setdefault(boxes[number], cost)
        for letter in DIRECTIONS:
            after = step(level, Position(0, player, boxes), letter)
            if after and all(boxes[at] == after.boxes[at] for at in range(len(boxes)) if at != number):
                more = cost_of_step(after.boxes != boxes)
                heappush(heap, ((cost[0] + more[0], cost[1] + more[1]), after.player, after.boxes))
    return best


def fewest_pushes(pushed):
    return int(pushed), 0


def fewest_moves_then_pushes(pushed):
    return 1, int(pushed)


def test_the_player_reaches_what_boxes_and_walls_leave_free():
    level, position = start("#######|#@-$--#|#--#.-#|#######")
    assert reach(level, position) == {8, 9, 15, 16}


def test_a_walk_is_a_shortest_one():
    level, position = start("#######|#@-#--#|#-$---#|#---.-#|#######")
    assert len(walk(level, position, 11)) == 7
    assert walk(level, position, position.player) == ""


@pytest.mark.parametrize("to", [3, 9, 10])
def test_there_is_no_walk_into_a_wall_onto_a_box_or_beyond(to):
    level, position = start("######|#@-$.#|######")
    assert walk(level, position, to) is None


def test_an_open_level_is_left_by_nobody():
    level, position = start("-@$--.")
    assert reach(level, position) == {0}
    assert push_paths(level, position, 1).targets == {2, 3, 4}


def test_a_box_can_be_pushed_only_from_where_the_player_can_get():
    level, position = start("#######|#-$@--#|#######|#.----#|#######")
    assert push_paths(level, position, 9).targets == {8}


def test_the_player_does_not_walk_through_the_box():
    level, position = start("########|#@-$---#|########|#.-----#|########")
    assert push_paths(level, position, 11).targets == {12, 13, 14}


def test_the_player_goes_around_where_there_is_a_loop():
    level, position = start("#######|#--@--#|#-###-#|#--$--#|###.###|#######")
    assert push_paths(level, position, 24).targets == {22, 23, 25, 26}


def test_a_box_crosses_a_square_twice_where_the_player_has_to_change_sides():
    """Pushed up from its alcove it comes to the crossing; only from the bay beyond can it be pushed to the right."""
    level, position = start("""
        #########
        #---#####
        #-#-#####
        #-----.##
        ###$#####
        ###@#####
        #########
    """)
    paths = push_paths(level, position, 39)
    lurd = paths.to(33)
    visited = [played(level, position, lurd[:moves]).boxes[0] for moves in range(len(lurd) + 1)]
    places = [cell for cell, before in zip(visited, [None, *visited], strict=False) if cell != before]
    assert places == [39, 30, 21, 30, 31, 32, 33]


def test_other_boxes_are_walls():
    level, position = start("########|#@$-$-.#|#.######|########")
    assert push_paths(level, position, 10).targets == {11}


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


@settings(deadline=None)
@given(levels(max_side=6, walls=12), st.data())
def test_fewest_pushes_to_every_square_are_those_of_trying_everything(level, data):
    position = Position.start(level)
    box = data.draw(st.sampled_from(position.boxes))
    expected = all_ways(level, position, box, fewest_pushes)
    paths = push_paths(level, position, box)
    assert paths.targets | {box} == expected.keys()
    for target in paths.targets:
        lurd = paths.to(target)
        assert played(level, position, lurd).boxes[position.boxes.index(box)] == target
        assert sum(map(str.isupper, lurd)) == paths.pushes(target) == expected[target][0]


@settings(deadline=None)
@given(levels(max_side=6, walls=12), st.data())
def test_fewest_moves_then_pushes_are_those_of_trying_everything(level, data):
    position = Position.start(level)
    box = data.draw(st.sampled_from(position.boxes))
    expected = all_ways(level, position, box, fewest_moves_then_pushes)
    paths = push_paths(level, position, box, fewest=Fewest.MOVES)
    assert paths.targets | {box} == expected.keys()
    for target in paths.targets:
        lurd = paths.to(target)
        assert played(level, position, lurd).boxes[position.boxes.index(box)] == target
        assert (len(lurd), paths.pushes(target)) == expected[target]


@given(levels(max_side=6, walls=12), st.data())
def test_walks_are_as_short_as_those_of_trying_everything(level, data):
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
