import json

import pytest

from solvers.games.__main__ import main
from tests.solvers.running import runner

run = runner(main)


def test_value_outcome_and_winning_moves_are_said(run):
    assert run("kayles", "5") == (0, "Grundy value 4: who is to move wins.\n2 2\n", "")
    assert run("nim", "5", "3", "6") == (0, "Grundy value 0: who is to move loses.\n", "")


def test_misere_play_has_no_value(run):
    code, out, _err = run("notakto", "--misere", "--", "---------")
    assert (code, out) == (0, "Who is to move wins.\n----X----\n")


def test_a_move_that_leaves_nothing_is_said(run):
    assert run("kayles", "2")[1].splitlines()[1:] == ["nothing left"]


def test_periods_are_searched(run):
    assert run("kayles", "--period") == (0, "The values repeat every 12 from 71 on.\n", "")
    assert run("subtraction", "--set", "2,5,7", "--period") == (0, "The values repeat every 22 from 0 on.\n", "")
    assert run("octal", "--code", "0.007", "--period") == (0, "No period is proved by the values searched.\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nim", "-3"), "A position of nim has no negative numbers, such as -3."),
        (("go", "1"), "invalid choice: 'go'"),
        ((), "name a game, or --jsonl"),
        (("nim", "--period"), "--period is for kayles"),
        (("octal", "--period"), "The code of an octal game is"),
        (("subtraction", "--set", "x", "3"), "'x' is not a list of numbers"),
    ],
)
def test_what_cannot_be_asked_is_said(run, arguments, words):
    code, out, err = run(*arguments)
    assert words in err
    assert (code, out) == (2, "")


def test_an_error_is_an_object_where_objects_are_asked_for(run):
    code, out, err = run("nim", "-3", "--json")
    assert (code, json.loads(out)["error"], err) == (2, "negative_number", "")


def test_a_line_a_question_a_line_an_answer(run):
    questions = b"""{"game": "nim", "position": [3, 4, 5]}
not JSON
{"game": "nim", "position": [1, 1, 1], "misere": true}

{"sum": [{"game": "nim", "position": [2]}, {"game": "kayles", "position": [1]}]}
"""
    code, out, _err = run("--jsonl", stdin=questions)
    first, refused, misere, both = map(json.loads, out.splitlines())
    assert code == 1
    assert first == {"grundy": 2, "wins": True, "moves": [[1, 4, 5]]}
    assert (refused["error"], refused["wins"]) == ("bad_line", None)
    assert misere == {"grundy": None, "wins": False, "moves": []}
    assert both["moves"] == [[{"game": "nim", "position": [1]}, {"game": "kayles", "position": [1]}]]
