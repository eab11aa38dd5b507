"""Scored moves are checked against the text that was sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban.level import Level
from solvers.sokoban.reading.origin import Origins
from solvers.sokoban.reading.readers import Reader, judge

LEVEL = Level.parse("#######|#@  $.#|#     #|#######")
PAIR = Level.parse("########|#@$.---#|#-$.---#|########")
LIMIT = 1000
_PIECES = ["rrR", "durrR", "rlr", "R", "dd", "3", " ", "\n\n", "note\n", "Moves: 7 Pushes: 3 ", "-\n", "→", "[1]"]


def is_reading(lurd, text, level=LEVEL, **options) -> bool:
    return Origins([LEVEL, PAIR], LIMIT).is_reading(lurd, level, text, **options)


@pytest.mark.parametrize(
    "text", ["rrR", "2r\nRuu", "RRR", "Solution: rrr", "→→→", "Moves: 3 Pushes: 9 rrR", "rr-\nR", "r<r>R"]
)
def test_a_reading_of_any_door_is_one(text):
    assert is_reading("rrR", text)
    assert not is_reading("durrR", text)


def test_of_two_solutions_the_one_that_a_reader_takes_is_a_reading():
    text = "a:\ndurrR\nb:\nrrR\nc:\nrlrrR"
    assert [is_reading(lurd, text) for lurd in ("durrR", "rrR", "rlrrR")] == [True, True, False]


def test_a_solution_is_not_made_a_spectator_answer_of_its_own_text():
    assert is_reading("R", "Rl", PAIR, is_spectator=True)
    assert is_reading("R", "Moves: 2 Pushes: 9 Rl", PAIR, is_spectator=True)
    assert not is_reading("R", "RldR", PAIR, is_spectator=True)
    assert not is_reading("R", "note\nRl\nbetter:\nRldR", PAIR, is_spectator=True)
    assert not is_reading("R", "Rluu", PAIR, is_spectator=True)


def test_a_text_of_too_many_parts_has_no_reading():
    assert not is_reading("rrR", "rrR" + "1u" * 40_001)


@pytest.mark.parametrize("reader", [reader for reader in Reader if reader != Reader.STRICT])
@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join))
def test_scored_moves_are_a_reading(reader, text):
    judged = judge([LEVEL, PAIR], text, reader, limit=LIMIT)
    if judged.outcome == "solved":
        assert is_reading(judged.replay.lurd, text, [LEVEL, PAIR][judged.level])
