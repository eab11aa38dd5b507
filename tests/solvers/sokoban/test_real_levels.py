"""Formats and readers with real levels, solutions and faulty submissions, if these are present."""

import json

import pytest

from solvers.sokoban.batch import replay_lines
from solvers.sokoban.formats import read_collection, read_file
from solvers.sokoban.level import Level
from solvers.sokoban.reading.readers import Reader, judge
from tests import sizes
from tests.solvers.shared_data import SHARED_DATA, json_lines, needs_shared_data

pytestmark = needs_shared_data

FILES = {
    "jsoko_mail_quotes.sok": 1,
    "jsoko_parsing.sok": 12,
    "mf8_competition_04_11.xsb": 8,
    "microban1.xsb": 155,
    "original_and_extra.sok": 91,
    "shenmian_default.xsb": 26,
    "xsokoban.xsb": 90,
}


def collection(name):
    return read_collection((SHARED_DATA / "levels" / name).read_bytes())


@pytest.mark.parametrize(("name", "count"), sizes.cases([*FILES.items()][:3], FILES.items()))
def test_every_level_of_a_file_is_found(name, count):
    found = collection(name)
    assert (len(found.entries), found.unread) == (count, ())
    assert list(read_file(SHARED_DATA / "levels" / name)) == list(found.entries)


@pytest.mark.parametrize("reader", sizes.cases([Reader.RUN_LENGTH, Reader.LENIENT], Reader))
def test_every_verified_pair_is_solved(reader):
    pairs = json_lines("pairs/microban1.jsonl") + json_lines("pairs/xsokoban.jsonl")
    answers = map(json.loads, replay_lines(map(json.dumps, pairs), reader))
    for pair, answer in zip(pairs, answers, strict=True):
        assert answer["verdict"] == "solved"
        if pair.get("first_solved") is None:
            assert (answer["moves"], answer["pushes"], answer["cut"]) == (pair["moves"], pair["pushes"], 0)
        assert answer["case_corrected"] == (pair["case"] != "exact")
    assert len(pairs) == 1_334


@pytest.mark.parametrize("reader", Reader)
def test_every_reject_is_read_as_each_reader_should(reader):
    """A text that the strict reader refuses may be a solution to other readers: readings.json lists these."""
    rejects = json_lines("rejects.jsonl")
    for reject in rejects:
        judgement = judge(Level.parse(reject["xsb"]), reject["submission"], reader)
        if reject["verdict"] == "malformed":
            if reader is Reader.STRICT:
                assert (judgement.outcome, judgement.index) == ("malformed", reject["syntax_index"])
        elif reject["verdict"] == "bad level":
            assert (judgement.outcome, str(judgement.problem)) == ("bad_level", reject["level_problem"])
        elif reject["first_solved"] is not None:
            assert (judgement.outcome, judgement.moves) == ("solved", reject["first_solved"])
        else:
            assert judgement.outcome == reject["verdict"].replace("unsolved", "not_solved"), reject["id"]
            if judgement.outcome == "illegal":
                assert (judgement.index, judgement.step) == (reject["illegal_index"], reject["illegal_move"] + 1)
                assert judgement.why == reject["why"].replace(" ", "_")
                assert (judgement.moves, judgement.pushes) == (reject["moves"], reject["pushes"])
    assert len(rejects) == 110
