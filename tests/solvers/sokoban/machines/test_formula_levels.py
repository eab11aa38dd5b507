"""Boards put together: a level can be solved exactly when its formula is true."""

import pytest

from solvers.logic import Formula, decide
from solvers.sokoban import Level, replay
from solvers.sokoban.machines.composing import Part, compose
from solvers.sokoban.machines.formula_levels import FORMULA_LEVELS
from solvers.sokoban.machines.vertices import END, mirror, straight
from solvers.sokoban.moves import Moves
from solvers.sokoban.solving import Budget, Solved, Unsolvable
from solvers.sokoban.solving.exact import prove
from solvers.sokoban.solving.solver import solve

ALL = pytest.mark.parametrize(("text", "make"), FORMULA_LEVELS, ids=lambda one: getattr(one, "__name__", ""))


@ALL
def test_a_level_can_be_solved_exactly_when_its_formula_is_true(text, make):
    level = Level.parse(make())
    answer = solve(level, budget=Budget(cpu_seconds=60))
    assert isinstance(answer, Solved if decide(Formula.parse(text)).is_true else Unsolvable)
    if isinstance(answer, Solved):
        assert replay(level, Moves.parse(answer.lurd)).verdict.value == "solved"


@pytest.mark.parametrize("make", [make for _text, make in FORMULA_LEVELS[:3]], ids=lambda make: make.__name__)
def test_the_exact_search_says_the_same(make):
    level = Level.parse(make())
    assert type(prove(level, budget=Budget(cpu_seconds=60))) is type(solve(level, budget=Budget(cpu_seconds=60)))


def test_among_them_are_true_formulas_and_a_false_one():
    assert {decide(Formula.parse(text)).is_true for text, _make in FORMULA_LEVELS} == {True, False}


@ALL
def test_every_box_but_the_last_begins_on_its_goal(text, make):
    rows = make()
    assert (rows.count("$"), rows.count("."), rows.count("@")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("boards", "words"),
    [
        ([Part(END, 0, 0), Part(END, 1, 0)], "overlap"),
        ([Part(END, 0, 0)], "is open to"),
        ([Part(straight(5), 0, 0), Part(mirror(straight(5)), 0, 5)], "needs one box"),
    ],
)
def test_what_does_not_fit_together_is_named(boards, words):
    with pytest.raises(ValueError, match=words):
        compose(boards)
