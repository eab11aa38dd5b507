import random

import pytest

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.coaching.stretches import compare, replace_stretches, without_loops
from tests import sizes
from tests.solvers.sokoban.solving.full_search import pulled_level
from tests.solvers.sokoban.solving.test_optimizing import wandering_solution

ROOM = Level.parse("#######|#-----#|#@-$-.#|#-----#|#######")


@pytest.mark.parametrize("seed", sizes.cases([0], range(8)))
def test_any_choice_of_stretches_leads_from_one_solution_to_the_other(seed):
    chance = random.Random(seed)
    for _ in range(6):
        level = pulled_level(chance, max_side=5, max_boxes=2)
        one, other = (replay(level, Moves.parse(wandering_solution(level, chance))) for _ in range(2))
        stretches = compare(level, one.lurd, other.lurd)
        assert sum(stretch.moves for stretch in stretches) == one.moves - other.moves
        chosen = [stretch for stretch in stretches if chance.randrange(2)]
        played = replay(level, Moves.parse(replace_stretches(one.lurd, chosen)))
        assert played.is_solved
        assert one.moves - played.moves == sum(stretch.moves for stretch in chosen)
        assert one.pushes - played.pushes == sum(stretch.pushes for stretch in chosen)


def test_loops_with_pushes_are_cut():
    assert without_loops(ROOM, "rurrdLulldRRR") == "rRR"


def test_many_rounds_in_a_circle_take_no_more_than_a_moment():
    circles = "urdl" * 20_000
    stretches = compare(ROOM, f"{circles}rRR", "rRR")
    assert sum(stretch.moves for stretch in stretches) == 80_000
    assert without_loops(ROOM, f"{circles}rRR") == "rRR"
