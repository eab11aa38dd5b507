import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.solving.board import Hopeless, make_board


@pytest.mark.parametrize("text", ["#######|#@$.#.#|#######", "#####|#@$$.#|#####", "########|#@$.#$*#|########"])
def test_a_level_that_cannot_be_solved_by_counting_is_hopeless(text):
    with pytest.raises(Hopeless):
        make_board(Level.parse(text))


def test_a_box_at_home_out_of_reach_is_left_out():
    assert len(make_board(Level.parse("########|#@$.#*-#|########")).boxes) == 1
