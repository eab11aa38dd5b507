from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Level, Moves, kernels, replay
from solvers.sokoban.metrics import measure
from solvers.sokoban.playback import KEYFRAME_EVERY, Playback
from solvers.sokoban.position import Position
from solvers.sokoban.replay import play, play_compiled
from tests.solvers.sokoban.boards import levels, obvious_replay, step

steps = st.text("lurdLURD", max_size=60)
SHUTTLE = Level.parse("#######|#.@$--#|#-----#|#######")


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


@given(levels(), steps)
def test_box_changes_equal_following_every_box(level, text):
    lurd = replay(level, Moves.parse(text)).lurd
    moved = [
        {before, after}
        for one, other in pairwise(Playback(level, lurd))
        for before, after in zip(enumerate(one.boxes), enumerate(other.boxes), strict=True)
        if before != after
    ]
    assert measure(lurd).box_changes == len(list(groupby(min(box)[0] for box in moved)))


@pytest.mark.parametrize("number", [-1, 3])
def test_there_is_no_position_before_the_start_or_after_the_end(number):
    with pytest.raises(IndexError):
        Playback(SHUTTLE, "dr")[number]


@given(levels(), steps)
def test_positions_equal_a_replay_step_by_step(level, text):
    lurd = replay(level, Moves.parse(text)).lurd
    expected = [Position.start(level)]
    for letter in lurd:
        expected.append(step(level, expected[-1], letter))
    playback = Playback(level, lurd)
    assert list(playback) == expected
    assert [playback[number] for number in range(len(playback))] == expected


def test_any_position_is_the_same_by_keyframe_and_in_order():
    lurd = ("RdrruLdllu" * KEYFRAME_EVERY)[: 3 * KEYFRAME_EVERY + 7]
    playback = Playback(SHUTTLE, lurd)
    in_order = list(playback)
    for number in (0, 1, KEYFRAME_EVERY - 1, KEYFRAME_EVERY, KEYFRAME_EVERY + 1, 3 * KEYFRAME_EVERY, len(lurd)):
        assert playback[number] == in_order[number]
        assert next(playback.positions(number)) == in_order[number]
