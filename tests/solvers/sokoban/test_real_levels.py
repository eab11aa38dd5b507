"""Formats and readers with real levels, solutions and faulty submissions, if these are present."""

import json

import pytest

from solvers.sokoban.batch import replay_lines
from solvers.sokoban.formats import Kind, read_collection, read_file
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


def test_the_mail_quoted_level_has_two_solutions():
    (entry,) = collection("jsoko_mail_quotes.sok").entries
    assert [(one.moves, one.pushes) for one in entry.solutions] == [(314, 74), (332, 70)]
    assert entry.title == '"YASGen 2", by Brian Damgaard'


def test_25_of_the_26_answers_solve_and_one_is_impossible():
    entries = collection("shenmian_default.xsb").entries
    attempts = [attempt for entry in entries for attempt in entry.attempts]
    assert [attempt.kind for attempt in attempts].count(Kind.SOLUTION) == 25
    (invalid,) = (entry for entry in entries if not entry.solutions)
    assert (invalid.title, invalid.attempts[0].kind, invalid.attempts[0].step) == ("Level 9", Kind.INVALID, 1)
    assert all(entry.remarks[0].code == "x_as_box" for entry in entries)


def test_the_parser_test_of_jsoko_is_read_as_it_means():
    entries = collection("jsoko_parsing.sok").entries
    first = entries[0]
    assert [attempt.kind.value for attempt in first.attempts] == ["solution", "solution", "invalid", "solution"]
    assert [attempt.cut for attempt in first.attempts] == [0, 0, 0, 4]
    assert entries[1].title == "level 2 (explicitly stated)"
    assert entries[2].title.startswith("Title very long title")
    assert [(one.moves, one.pushes) for one in entries[2].solutions] == [(40, 10), (40, 10)]
    assert entries[3].title == ""
    assert (entries[6].title, entries[6].solutions[0].moves) == ("Original 1", 230)
    assert entries[9].problems[0].code == "boxes_goals"
    assert (entries[11].title, entries[11].author) == ("Steaming Hot", "David Buchweitz")
    assert entries[4].author == "collection author"


@pytest.mark.parametrize("reader", sizes.cases([Reader.RUN_LENGTH], Reader))
def test_every_verified_pair_is_solved(reader):
    pairs = json_lines("pairs/microban1.jsonl") + json_lines("pairs/xsokoban.jsonl")
    answers = map(json.loads, replay_lines(map(json.dumps, pairs), reader))
    for pair, answer in zip(pairs, answers, strict=True):
        assert answer["verdict"] == "solved"
        if pair.get("first_solved") is None:
            assert (answer["moves"], answer["pushes"], answer["cut"]) == (pair["moves"], pair["pushes"], 0)
        assert answer["case_corrected"] == (pair["case"] != "exact")
    assert len(pairs) == 1_334


def test_every_reader_finds_the_same_moves_in_a_verified_pair():
    """A text that the run-length reader accepts keeps its reading (rule 6.1), also under a header."""
    for pair in json_lines("pairs/microban1.jsonl") + json_lines("pairs/xsokoban.jsonl"):
        level, text = Level.parse(pair["xsb"]), pair.get("raw") or pair["lurd"]
        lurd = judge(level, text, Reader.RUN_LENGTH).replay.lurd
        headed = f"{pair.get('header') or 'Solution'}\n{text}"
        found = [judge(level, sent, reader).replay.lurd for sent in (text, headed) for reader in ("lenient", "legacy")]
        assert found == [lurd] * 4


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


def test_the_same_rejects_are_solved_as_at_the_old_programs_door_of_0_6():
    rejects = json_lines("rejects.jsonl")
    web, old_programs, now = (
        [one["id"] for one in rejects if judge(Level.parse(one["xsb"]), one["submission"], reader).outcome == "solved"]
        for reader in (Reader.LENIENT_0_6, Reader.LEGACY, Reader.LENIENT)
    )
    assert (len(web), len(old_programs)) == (54, 72)
    assert now == old_programs
