"""Right answers are found in the shapes in which people paste them, by Python and JavaScript alike."""

import json

import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.reading.readers import Reader, judge
from tests.solvers.sokoban.pasted_shapes import pasted_shapes
from tests.solvers.sokoban.test_agreement import NODE, ask

LEVEL = Level.parse("##########|#..--#---#|#--$---$-#|#---@#$--#|#-#--.---#|##########")
LURD = "urrurrdLLLrrddlllluluurDurDrrrddlllUdrrruullLLLrrddlUrurrDullLrrrrddLuullldllUdrU"
TEXTS = list(pasted_shapes(LURD, seed=43))


def test_the_moves_are_found_in_every_shape():
    judged = [(name, text, judge(LEVEL, text, Reader.LENIENT)) for name, text in TEXTS]
    assert [(name, text) for name, text, one in judged if not one.replay or one.replay.lurd != LURD] == []


@pytest.mark.skipif(not NODE, reason="node is not installed")
def test_scripts_solve_the_same_shapes():
    questions = [{"ask": "reading", "levels": [str(LEVEL)], "text": text, "limit": 1000} for _, text in TEXTS]
    for (name, text), answer in zip(TEXTS, ask(questions), strict=True):
        judged = judge(LEVEL, text, Reader.LENIENT, limit=1000)
        left_out = [[part.line, part.text] for part in judged.left_out]
        found = (answer["outcome"], answer["reading"], answer["left_out"])
        assert found == (judged.outcome, judged.reading, left_out), (name, json.dumps(text))
