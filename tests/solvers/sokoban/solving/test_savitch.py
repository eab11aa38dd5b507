import random

import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving.savitch import bound_bits, breadth_first_bits, decide, least_halvings
from tests.solvers.sokoban.solving.full_search import best, random_level


@pytest.mark.exhaustive
def test_it_answers_as_full_search_on_every_board_of_up_to_four_squares():
    chance = random.Random(1)
    levels = {level.key: level for level in (random_level(chance, max_side=3) for _ in range(700))}
    tiny = [level for level in levels.values() if len(level.reach) <= 4 and is_whole(level)]
    assert len(tiny) >= 10
    for level in tiny:
        is_solvable = best(level).is_solvable or level.boxes == level.goals
        assert decide(level, halvings=least_halvings(level)).is_solvable is is_solvable, str(level)


def is_whole(level):
    return {*level.boxes, *level.goals} <= level.reach


def test_its_space_stays_below_the_bound_and_below_breadth_first_search_on_a_larger_board():
    level = Level.parse("#####|#@--#|#-$.#|#-*-#|#####")
    decision = decide(level, questions=20_000)
    assert 0 < decision.bits <= bound_bits(level) < breadth_first_bits(level)


def test_giving_up_is_reported():
    assert decide(Level.parse("######|#.@$-#|######"), questions=100).is_solvable is None
