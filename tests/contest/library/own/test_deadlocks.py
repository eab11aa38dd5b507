"""The course of deadlocks: what it says of each position is true by full search."""

from itertools import combinations

import pytest

from contest.library.own import deadlocks
from contest.web.play.lessons import REASONS
from solvers.sokoban.checks.deadlocks import deadlock
from solvers.sokoban.coaching.tutor import explain_loss
from tests.solvers.sokoban.solving.full_search import can_get_home

EXERCISES = deadlocks.read()


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: f"{exercise.kind}-{exercise.boxes}")
def test_the_boxes_and_no_others_as_few_can_never_all_get_home(exercise):
    level = exercise.level
    for size in range(1, len(exercise.boxes) + 1):
        for boxes in combinations(level.boxes, size):
            assert can_get_home(level, level.player, boxes) == (boxes != exercise.boxes)


def test_each_has_the_reason_that_a_check_without_search_gives():
    assert {exercise.kind for exercise in EXERCISES} == REASONS.keys()
    for exercise in EXERCISES:
        found = deadlock(exercise.level, exercise.level.boxes)
        assert (found.kind if found else "closed") == exercise.kind
        assert explain_loss(exercise.level).reach == exercise.reach
