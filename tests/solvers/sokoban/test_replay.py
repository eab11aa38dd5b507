from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Level, Moves, kernels, replay
from solvers.sokoban.replay import play, play_compiled
from tests.solvers.sokoban.boards import levels, obvious_replay

steps = st.text("lurdLURD", max_size=60)


@given(levels(), steps)
def test_a_replay_equals_the_obvious_loop(level, text):
    lurd, end, home = obvious_replay(level, text)
    outcome = replay(level, Moves.parse(text))
    assert (outcome.lurd, outcome.boxes_home) == (lurd, home)
    assert outcome.pushes == sum(map(str.isupper, lurd))
    assert outcome.is_solved == (end == "solved")
    assert outcome.why == (None if end == "solved" else end)
    assert outcome.index == (None if outcome.why is None else len(lurd))


@given(levels(), steps)
def test_the_loop_of_the_kernels_gives_the_same_course(level, text):
    assert play_compiled(level.arena, text) == play(level.arena, text)


@given(steps)
def test_the_loop_of_the_kernels_leaves_an_open_level_as_the_plain_one_does(text):
    arena = Level.parse("--.|-$@|---").arena
    assert play_compiled(arena, text) == play(arena, text)


def test_a_long_text_does_not_load_the_compiler():
    outcome = replay(Level.parse("######|#@-$.#|######"), Moves.parse("rl" * 10_000))
    assert outcome.moves == 20_000
    assert not kernels.is_warm()
