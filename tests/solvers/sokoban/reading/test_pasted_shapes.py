"""Right answers are found in the shapes in which people paste them, by Python and JavaScript alike."""

import json
from collections import Counter

import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.reading.readers import Reader, judge
from tests.solvers.sokoban.pasted_shapes import SHAPES, pasted_shapes
from tests.solvers.sokoban.test_agreement import NODE, ask

LEVEL = Level.parse("##########|#..--#---#|#--$---$-#|#---@#$--#|#-#--.---#|##########")
LURD = "urrurrdLLLrrddlllluluurDurDrrrddlllUdrrruullLLLrrddlUrurrDullLrrrrddLuullldllUdrU"
TEXTS = list(pasted_shapes(LURD, seed=43, count=456))


def test_nearly_all_shapes_are_solved_and_none_is_called_illegal():
    judged = [(name, judge(LEVEL, text, Reader.LENIENT)) for name, text in TEXTS]
    assert len({name for name, _ in TEXTS}) == len(SHAPES) >= 12
    refused = Counter(name for name, judgement in judged if judgement.outcome != "solved")
    assert sum(refused.values()) <= 3 * len(TEXTS) // 100, refused
    assert not [judgement for _, judgement in judged if judgement.outcome in ("illegal", "not_solved")]
    assert {judgement.replay.lurd for _, judgement in judged if judgement.outcome == "solved"} == {LURD}


@pytest.mark.skipif(not NODE, reason="node is not installed")
def test_scripts_solve_the_same_shapes():
    questions = [{"ask": "reading", "levels": [str(LEVEL)], "text": text, "limit": 1000} for _, text in TEXTS]
    for (name, text), answer in zip(TEXTS, ask(questions), strict=True):
        judged = judge(LEVEL, text, Reader.LENIENT, limit=1000)
        left_out = [[part.line, part.text] for part in judged.left_out]
        found = (answer["outcome"], answer["reading"], answer["left_out"])
        assert found == (judged.outcome, judged.reading, left_out), (name, json.dumps(text))
