from itertools import permutations

from hypothesis import given

from solvers.sokoban.checks.bounds import least_pushes
from tests.solvers.sokoban.boards import levels


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


@given(levels(max_side=6, max_boxes=5))
def test_the_bound_is_the_cheapest_of_all_ways_to_share_out_the_goals(level):
    assert least_pushes(level) == obvious_bound(level)
