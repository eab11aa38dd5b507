import random
from itertools import islice

import pytest

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.coaching.coach import coach
from solvers.sokoban.coaching.stretches import replace_stretches
from solvers.sokoban.solving.answers import WrongSolution
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.floor.pushes import Push, in_moves
from tests import sizes
from tests.solvers.sokoban.coaching.waste import own_solutions, with_detours
from tests.solvers.sokoban.solving.full_search import best

MOST = 100  # solutions in the exhaustive size
LOOP = Level.parse("######|#@$-.#|#----#|######")
TWO = Level.parse("#########|#-------#|#.--$--@#|#.--$---#|#-------#|#########")


@pytest.mark.parametrize("count", sizes.cases([5], [MOST]))
def test_it_finds_95_of_100_wasted_moves_and_never_a_false_one(count):
    chance = random.Random("with_detours")
    found = waste = 0
    for level, lurd in islice(own_solutions(chance), count):
        wasteful = with_detours(level, lurd, chance)
        advice = coach(wasteful.level, wasteful.lurd, budget=Budget(cpu_seconds=0.01))
        assert_true(wasteful.level, advice)
        found += min(wasteful.waste, advice.solution.moves - advice.better.moves)
        waste += wasteful.waste
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


def test_pushes_without_a_box_or_a_way_to_it_have_no_moves():
    corridor = make_board(Level.parse("######|#@$-.#|######"))
    (box,) = map(int, corridor.boxes)
    assert in_moves(corridor, [Push(box + 1, 0)]) is in_moves(corridor, [Push(box, 0)]) is None


def test_moves_that_are_no_solution_are_refused():
    with pytest.raises(WrongSolution):
        coach(LOOP, "dr")
