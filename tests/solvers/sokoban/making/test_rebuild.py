import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import Contradiction, NoPush, TooLarge
from solvers.sokoban.making.rebuild import level_of
from solvers.sokoban.replay import play


def test_a_level_has_at_most_200_columns():
    assert level_of("196R").width == 200
    with pytest.raises(TooLarge):
        level_of("197R")


@given(st.text("lurdLURD", max_size=60))
def test_rebuilt_levels_make_the_moves_legal_and_refusals_have_a_code(text):
    try:
        level = level_of(text)
    except (NoPush, Contradiction):
        return
    course = play(level.arena, text)
    assert level.is_closed
    assert course.blocked is None
