import random

import pytest

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.coaching.coach import coach
from solvers.sokoban.coaching.stretches import compare, replace_stretches, without_loops
from solvers.sokoban.solving.answers import WrongSolution
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.floor.pushes import Push, in_moves
from tests import sizes
from tests.solvers.sokoban.solving.full_search import best, pulled_level
from tests.solvers.sokoban.solving.test_exact import wandering_solution

LOOP = Level.parse("######|#@$-.#|#----#|######")
TWO = Level.parse("#########|#-------#|#.--$--@#|#.--$---#|#-------#|#########")
ROOM = Level.parse("#######|#-----#|#@-$-.#|#-----#|#######")


@pytest.mark.parametrize("count", sizes.cases([5], [100]))
def test_it_finds_95_of_100_wasted_moves_and_never_a_false_one(count):
    chance = random.Random(1)
    found = waste = 0
    for _ in range(count):
        level = pulled_level(chance, max_side=5, max_boxes=2)
        advice = coach(level, wandering_solution(level, chance), budget=Budget(nodes=10_000))
        assert_true(level, advice)
        found += advice.solution.moves - advice.better.moves
        waste += advice.solution.moves - best(level).moves_then_pushes[0]
    assert found >= 0.95 * waste


def assert_true(level, advice):
    """Assert that each stretch alone saves what it claims, and that all together lead to the better solution."""
    lurd = advice.solution.lurd
    assert advice.better.lurd == replace_stretches(lurd, advice.stretches)
    for stretch in advice.stretches:
        played = replay(level, Moves.parse(replace_stretches(lurd, [stretch])))
        assert played.is_solved
        assert (len(lurd) - played.moves, advice.solution.pushes - played.pushes) == (stretch.moves, stretch.pushes)
        assert stretch.first_push == sum(map(str.isupper, lurd[: stretch.start]))
        assert stretch.last_push == sum(map(str.isupper, lurd[: stretch.stop]))


def test_walks_and_loops_are_found_without_any_budget():
    (stretch,) = coach(LOOP, "duduRR", budget=Budget(nodes=0)).stretches
    assert stretch.is_walk
    assert (stretch.start, stretch.stop, stretch.moves, stretch.pushes, stretch.lurd) == (0, 4, 4, 0, "")


def test_pushes_in_turns_are_one_stretch_with_its_pushes():
    board = make_board(TWO)
    upper, lower = (int(box) for box in board.boxes)
    in_turns = in_moves(board, [Push(box - step, 0) for step in range(3) for box in (upper, lower)])
    advice = coach(TWO, in_turns)
    assert_true(TWO, advice)
    assert [(stretch.is_walk, stretch.pushes) for stretch in advice.stretches] == [(False, 0)]
    assert advice.better.moves == best(TWO).moves_then_pushes[0]


def test_moves_that_are_no_solution_are_refused():
    with pytest.raises(WrongSolution):
        coach(LOOP, "dr")


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
