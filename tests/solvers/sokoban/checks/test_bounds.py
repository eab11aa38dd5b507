"""No solution has fewer pushes than the bound, and all have its parity."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.sokoban import Level
from solvers.sokoban.checks import bounds
from solvers.sokoban.checks.bounds import _cheapest_assignment, least_pushes
from solvers.sokoban.making.series import ladder, rooms
from tests.solvers.sokoban.boards import levels
from tests.solvers.sokoban.shortest import fewest_pushes


def obvious_bound(level):
    """Every way to share out the goals, and the pushes of each box counted with the box alone on the board."""
    shares = (
        [alone(level, box, goal) for box, goal in zip(level.boxes, goals, strict=True)]
        for goals in permutations(level.goals)
    )
    return min((sum(share) for share in shares if None not in share), default=None)


def alone(level, box, goal):
    """The fewest pushes from *box* to *goal* without other boxes, by a player who may stand anywhere in reach."""
    layer, seen, pushes = {box}, {box}, 0
    while layer and goal not in layer:
        beside = [(cell, other) for cell in layer for other in level.neighbours(cell)]
        layer = {
            other
            for cell, other in beside
            if other in level.reach and 2 * cell - other in set(level.neighbours(cell)) & level.reach
        } - seen
        seen |= layer
        pushes += 1
    return pushes if layer else None


@pytest.mark.parametrize(
    ("board", "least"),
    [
        ("#####|#@$.#|#####", 1),
        ("########|#.--$$.#|#---@--#|########", 4),
        ("#####|#@*-#|#####", 0),
        ("######|#@-$-#|#--.-#|######", None),  # the box is at a wall without a goal
        ("#####|#$@.#|#####", None),  # the box is in a corner
        ("######|#@$$.#|######", None),  # two boxes, one goal
        ("#######|#.$$.-#|#--@--#|#------|#######", 2),
    ],
)
def test_the_bound_of_small_boards(board, least):
    assert least_pushes(Level.parse(board)) == least


def test_a_box_out_of_reach_on_a_goal_needs_no_push():
    assert least_pushes(Level.parse("#######|#@$.#*#|#######")) == 1


@settings(deadline=None)
@given(levels(max_side=6, max_boxes=5, walls=6))
def test_the_bound_is_the_cheapest_of_all_ways_to_share_out_the_goals(level):
    assert least_pushes(level) == obvious_bound(level)


@settings(deadline=None)
@given(levels(max_side=4, max_boxes=3))
def test_no_solution_has_fewer_pushes_and_all_have_the_parity_of_the_bound(level):
    fewest, least = fewest_pushes(level), least_pushes(level)
    if fewest is not None:
        assert least is not None
        assert least <= fewest
        assert (fewest - least) % 2 == 0


@pytest.mark.parametrize("member", [*map(ladder, range(4, 12)), *map(rooms, range(1, 5))])
def test_the_bound_holds_for_long_solutions(member):
    least = least_pushes(member.level)
    assert least <= member.pushes
    assert (member.pushes - least) % 2 == 0


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_the_assignment_is_the_cheapest(costs):
    ways = permutations(range(len(costs)))
    assert _cheapest_assignment(costs) == min(
        sum(row[column] for row, column in zip(costs, way, strict=True)) for way in ways
    )


@settings(deadline=None)
@given(levels(max_side=6, max_boxes=4), st.integers(0, 7))
def test_turning_a_level_changes_no_bound(level, symmetry):
    assert least_pushes(level.transform(symmetry)) == least_pushes(level)


def test_too_much_work_is_not_begun(monkeypatch):
    level = Level.parse("######|#@-$.#|#----#|######")
    monkeypatch.setattr(bounds, "MOST_WORK", 7)
    least_pushes.cache_clear()
    assert least_pushes(level) is None
    monkeypatch.setattr(bounds, "MOST_WORK", 8)
    least_pushes.cache_clear()
    assert least_pushes(level) == 1
