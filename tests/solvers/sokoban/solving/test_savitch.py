"""Savitch's search; its answers are in studies.json."""

from solvers.sokoban import Level
from solvers.sokoban.solving.savitch import bound_bits, breadth_first_bits, decide


def test_its_space_stays_below_the_bound_and_below_breadth_first_search_on_a_larger_board():
    level = Level.parse("#####|#@--#|#-$.#|#-*-#|#####")
    decision = decide(level, questions=20_000)
    assert 0 < decision.bits <= bound_bits(level) < breadth_first_bits(level)


def test_giving_up_is_reported():
    assert decide(Level.parse("######|#.@$-#|######"), questions=100).is_solvable is None
