"""Submissions of 0.6.0 and earlier are judged again by the readers of that time, which 0.6.0 itself answered here."""

import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.reading.readers import Reader, judge

LEVELS = [Level.parse("#######|#@  $.#|#     #|#######"), Level.parse("########|#@$.---#|#-$.---#|########")]


def read(text, reader):
    judged = judge(LEVELS, text, reader)
    return judged.replay.lurd if judged.outcome == "solved" else f"{judged.outcome.value} {judged.index}"


@pytest.mark.parametrize(
    ("text", "lenient", "legacy", "now"),
    [
        ("rlrrR\\\n2r\nR+\n", "rlrrR", "rlrrR", "rrR"),
        ("Rl\nRldRRl-\n", "RlrldR", "RlrldR", "RldR"),
        ("drurR+\nRRR; ", "drurR", "drurR", "rrR"),
        ("d2ru\n\rRldR\\\n", "drruR", "drruR", "RldR"),
        ("durrR\nx\nrrR", "rrR", "durrR", "rrR"),
        ("xdxrxuxrxR", "malformed 0", "drurR", "drurR"),
        ("rr\n1000000000 R\n\n", "rrR", "rrR", "rrR"),
        ("Moves: 7 Pushes: 2 druuR", "illegal 19", "illegal 19", "illegal 19"),
        ("“druuR”", "malformed 0", "illegal 4", "illegal 4"),
        ("[1] rrU", "malformed 0", "illegal 6", "malformed 0"),
        ("rr-\n[]R", "malformed 4", "rrR", "rrR"),
        ("note", "malformed 0", "empty None", "malformed 0"),
        ("下右上", "not_solved None", "empty None", "not_solved None"),
    ],
)
def test_a_text_of_several_solutions_keeps_the_one_of_its_readers_time(text, lenient, legacy, now):
    readers = (Reader.LENIENT_0_6, Reader.LEGACY, Reader.LENIENT)
    assert [read(text, reader) for reader in readers] == [lenient, legacy, now]
