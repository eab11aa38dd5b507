"""Composed boards: a level can be solved exactly if its formula is true."""

import pytest

from solvers.logic import Formula, decide
from solvers.sokoban import Level, replay
from solvers.sokoban.machines.formula_levels import FORMULA_LEVELS, x_and_y, x_differs_from_y, x_or_not_x
from solvers.sokoban.moves import Moves
from solvers.sokoban.solving import Aim, Budget, Solved, Unsolvable, solver
from solvers.sokoban.solving.solver import solve

ALL = pytest.mark.parametrize(("text", "make"), FORMULA_LEVELS, ids=lambda one: getattr(one, "__name__", ""))


@ALL
def test_a_level_can_be_solved_exactly_when_its_formula_is_true(text, make):
    level = Level.parse(make())
    answer = solve(level, budget=Budget(cpu_seconds=60))
    assert isinstance(answer, Solved if decide(Formula.parse(text)).is_true else Unsolvable)
    if isinstance(answer, Solved):
        assert replay(level, Moves.parse(answer.lurd)).verdict.value == "solved"


@pytest.mark.parametrize(("make", "pushes"), [(x_and_y, 9), (x_or_not_x, 3), (x_differs_from_y, 23)])
def test_the_fewest_pushes_equal_the_documented_numbers(make, pushes):
    answer = solver.prove(Level.parse(make()), Aim.PUSHES)
    assert isinstance(answer, Solved)
    assert (answer.pushes, answer.proven) == (pushes, Aim.PUSHES)
