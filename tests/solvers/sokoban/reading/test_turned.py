import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.reading.turned import SYMMETRIES, turned_back, turned_solution
from tests.solvers.sokoban.boards import levels

HOOK = Level.parse("#######|#@---##|#-$---#|####.-#|#######")
SOLUTION = "dRRurD"
# The inverse of each symmetry: quarter turns invert each other, reflections themselves.
INVERSE = (0, 3, 2, 1, 4, 5, 6, 7)


@given(levels(), st.text("lurd", max_size=30), st.integers(0, 7))
def test_steps_turned_back_do_on_the_level_what_they_did_on_the_turned_one(level, steps, symmetry):
    on_turned = replay(level.transform(symmetry), Moves.parse(steps))
    turned = replay(level, Moves.parse(turned_back(steps, symmetry)))
    assert turned_back(on_turned.lurd, symmetry) == turned.lurd
    assert (on_turned.verdict, on_turned.boxes_home) == (turned.verdict, turned.boxes_home)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_solution_of_each_turned_or_mirrored_board_is_found_and_turned_back(symmetry):
    """Rules 6.4, 6.10."""
    sent = turned_back(SOLUTION, INVERSE[symmetry]) + "ll"
    assert replay(HOOK.transform(symmetry), Moves.parse(sent)).is_solved
    found = turned_solution([HOOK], [Moves.parse(sent)])
    assert (found.symmetry, found.replay.lurd, found.replay.cut) == (symmetry, SOLUTION, 2)


def test_the_levels_are_tried_in_their_order():
    corridor = Level.parse("######|#@-$.#|######")
    found = turned_solution([corridor, Level.parse("#####|#@-$.##|#####")], [Moves.parse("uU")])
    assert (found.level, found.symmetry) == (0, 3)


def test_a_text_that_walks_for_ever_is_given_up():
    room = Level.parse("#######|#@----#|#-----#|#-$-.-#|#######")
    assert turned_solution([room], [Moves.parse("rl" * 5_000)], budget=1_000) is None
