"""Functions of the library accept a choice by member or by value."""

import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving import Aim, exact
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.solver import prove, solve

# The fewest pushes (3) need 11 moves, the fewest moves (9) need 5 pushes.
TWO_OPTIMA = Level.parse("#######|#-----#|#-#---#|#@$---#|#-.---#|#######")
LONG = "RluurrdDrdL"


@pytest.mark.parametrize("ask", [prove, exact.prove, solve, lambda level, aim: optimize(level, LONG, aim)])
@pytest.mark.parametrize(("aim", "counts"), [("moves", (9, 5)), ("pushes", (11, 3))])
def test_a_proof_is_of_the_aim_that_a_string_names(ask, aim, counts):
    answer = ask(TWO_OPTIMA, aim)
    assert (answer.moves, answer.pushes, answer.proven) == (*counts, Aim(aim))
