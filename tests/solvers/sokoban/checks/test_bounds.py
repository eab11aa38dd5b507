"""No solution has fewer pushes than the bound, and all have the same parity as the bound."""

from itertools import permutations

from hypothesis import given

from solvers.sokoban import Level
from solvers.sokoban.checks.bounds import least_pushes
from tests.solvers.sokoban.boards import levels
from tests.solvers.sokoban.solving.full_search import cheapest


def obvious_bound(level):
    """Return the least pushes over all assignments of boxes to goals, each box alone on the board."""
    shares = (
        [alone(level, box, goal) for box, goal in zip(level.boxes, goals, strict=True)]
        for goals in permutations(level.goals)
    )
    return min((sum(share) for share in shares if None not in share), default=None)


def alone(level, box, goal):
    """Return the fewest pushes from *box* to *goal* without other boxes; the player may start anywhere in reach."""
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


def test_a_box_out_of_reach_on_a_goal_needs_no_push():
    assert least_pushes(Level.parse("#######|#@$.#*#|#######")) == 1


@given(levels(max_side=6, max_boxes=5))
def test_the_bound_is_the_cheapest_of_all_ways_to_share_out_the_goals(level):
    assert least_pushes(level) == obvious_bound(level)


@given(levels(max_side=4, max_boxes=3))
def test_no_solution_has_fewer_pushes_and_all_have_the_parity_of_the_bound(level):
    fewest, least = cheapest(level, lambda pushed: (int(pushed), 0)), least_pushes(level)
    if fewest is not None:
        assert least is not None
        assert least <= fewest[0]
        assert (fewest[0] - least) % 2 == 0
