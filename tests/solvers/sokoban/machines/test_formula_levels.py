"""Boards put together: a level can be solved exactly when its formula is true."""

import pytest

from solvers.logic import Formula, decide
from solvers.sokoban import Level, replay
from solvers.sokoban.level import WALL
from solvers.sokoban.machines.formula_levels import FORMULA_LEVELS, x_and_not_x, x_and_y, x_differs_from_y, x_or_not_x
from solvers.sokoban.moves import Moves
from solvers.sokoban.solving import Aim, Budget, Solved, Unsolvable, solver
from solvers.sokoban.solving.exact import prove
from solvers.sokoban.solving.solver import solve
from tests.solvers.sokoban.oracle import walks

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


@pytest.mark.parametrize(("make", "pushes"), [(x_and_y, 9), (x_or_not_x, 3), (x_differs_from_y, 23)])
def test_the_fewest_pushes_are_those_of_the_page(make, pushes):
    answer = solver.prove(Level.parse(make()), Aim.PUSHES)
    assert isinstance(answer, Solved)
    assert (answer.pushes, answer.proven) == (pushes, Aim.PUSHES)


def test_among_them_are_true_formulas_and_a_false_one():
    assert {decide(Formula.parse(text)).is_true for text, _make in FORMULA_LEVELS} == {True, False}


@ALL
def test_every_box_but_the_last_begins_on_its_goal(text, make):
    rows = make()
    assert (rows.count("$"), rows.count("."), rows.count("@")) == (1, 1, 1)


def test_where_x_contradicts_itself_each_place_of_it_can_be_true_but_both_never():
    level = Level.parse(x_and_not_x())
    # The squares of ports a and b of the AND: row 3 and column 6, row 4 and column 0 of it.
    squares = [(7 + 3) * level.width + 10 + 6, (7 + 4) * level.width + 10]
    true = {tuple(square not in boxes for square in squares) for boxes in boxes_that_can_come_home(level)}
    assert true == {(True, False), (False, True), (False, False)}


def boxes_that_can_come_home(level):
    """The oracle: each push, but with a box in a corner that is no goal nothing more."""
    first = frozenset(level.boxes), min(walks(level, level.player, frozenset(level.boxes)))
    before, todo = {first: []}, [first]
    while todo:
        state = todo.pop()
        for then in pushes(level, *state):
            if then not in before:
                before[then] = []
                todo.append(then)
            before[then].append(state)
    live = {state for state in before if state[0] == first[0]}
    todo = list(live)
    while todo:
        for state in before[todo.pop()]:
            if state not in live:
                live.add(state)
                todo.append(state)
    return {boxes for boxes, _man in live}


def pushes(level, boxes, man):
    walked = walks(level, man, boxes)
    for box in boxes:
        for step in (1, -1, level.width, -level.width):
            beyond = box + step
            if box - step in walked and is_floor(level, beyond) and beyond not in boxes:
                is_corner = any(
                    not is_floor(level, beyond + one) and not is_floor(level, beyond + other)
                    for one in (1, -1)
                    for other in (level.width, -level.width)
                )
                if not is_corner or beyond in level.goals:
                    then = boxes - {box} | {beyond}
                    yield then, min(walks(level, box, then))


def is_floor(level, cell):
    return not level.cells[cell] & WALL
