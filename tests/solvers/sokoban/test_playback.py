import pytest
from hypothesis import given

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.playback import KEYFRAME_EVERY, Playback
from solvers.sokoban.position import Position
from tests.solvers.sokoban.boards import levels, step
from tests.solvers.sokoban.test_replay import steps

SHUTTLE = Level.parse("#######|#.@$--#|#-----#|#######")
ROUND = "RdrruLdllu"


def long_game(moves):
    return (ROUND * (moves // len(ROUND) + 1))[:moves]


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
    lurd = long_game(3 * KEYFRAME_EVERY + 7)
    playback = Playback(SHUTTLE, lurd)
    in_order = list(playback)
    for number in (0, 1, KEYFRAME_EVERY - 1, KEYFRAME_EVERY, KEYFRAME_EVERY + 1, 3 * KEYFRAME_EVERY, len(lurd)):
        assert playback[number] == in_order[number]
        assert next(playback.positions(number)) == in_order[number]
