"""Functions of the library accept a choice by member or by value, and name any other value in an error."""

import pytest

from solvers.klotski import Goal, Layout, Mirror
from solvers.klotski import solve as solve_layout
from solvers.logic import Formula, Quantifier
from solvers.sokoban import Level
from solvers.sokoban.coaching.coach import coach
from solvers.sokoban.coaching.stretches import Stretch
from solvers.sokoban.formats import Attempt, Kind
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.reading.readers import Reader, judge
from solvers.sokoban.solving import Aim, Budget, Solved, exact
from solvers.sokoban.solving.finding import FoundLevel, Quality
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.solver import prove, solve

# The fewest pushes (3) need 11 moves, the fewest moves (9) need 5 pushes.
TWO_OPTIMA = Level.parse("#######|#-----#|#-#---#|#@$---#|#-.---#|#######")
START = Position.start(TWO_OPTIMA)
(BOX,) = TWO_OPTIMA.boxes
LONG = "RluurrdDrdL"
LAYOUT = Layout.parse("VCCVVCCVVHHVVooVo..o")
FOUND = FoundLevel(TWO_OPTIMA, Solved(LONG, 11, 3), 1, None)


@pytest.mark.parametrize("ask", [prove, exact.prove_exactly, solve, lambda level, aim: optimize(level, LONG, aim)])
@pytest.mark.parametrize(("aim", "counts"), [("moves", (9, 5)), ("pushes", (11, 3))])
def test_a_proof_is_of_the_aim_that_a_string_names(ask, aim, counts):
    answer = ask(TWO_OPTIMA, aim)
    assert (answer.moves, answer.pushes, answer.proven) == (*counts, Aim(aim))


DOORS = [
    (lambda value: exact.prove_exactly(TWO_OPTIMA, value).lurd, Aim.MOVES),
    (lambda value: coach(TWO_OPTIMA, LONG, value, budget=Budget(nodes=0)).stretches, Aim.MOVES),
    (FOUND.worth, Quality.CHANGES),
    (Stretch(0, 1, 0, 1, 2, -1, "").lost, Aim.MOVES),
    (lambda value: judge(TWO_OPTIMA, "2(r)", value), Reader.RUN_LENGTH),
    (lambda value: push_paths(TWO_OPTIMA, START, BOX, fewest=value).to(BOX + 7), Fewest.MOVES),
    (lambda value: Attempt(value, "R", 1, 1), Kind.SOLUTION),
    (lambda value: Formula(((value, 1),), ((1,),)), Quantifier.FORALL),
    (lambda value: solve_layout(LAYOUT, value), Goal.MIRROR),
    (LAYOUT.reflect, Mirror.UPSIDE_DOWN),
]


@pytest.mark.parametrize(("ask", "member"), DOORS)
def test_a_value_asks_the_same_as_its_member(ask, member):
    assert repr(ask(member.value)) == repr(ask(member))


@pytest.mark.parametrize(("ask", "member"), DOORS)
def test_an_invalid_value_is_refused_and_the_allowed_values_are_named(ask, member):
    with pytest.raises(ValueError, match=rf"^'foo' is no [a-z]+; allowed: .*'{member}'"):
        ask("foo")
