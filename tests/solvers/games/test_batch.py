import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.games import Player
from solvers.games.batch import NOTATIONS, answer
from tests.solvers.games.oracle import Oracle, as_set

CASES = json.loads((Path(__file__).parents[2] / "data/games.json").read_text("utf-8"))


@pytest.mark.parametrize("one", CASES, ids=lambda one: one["name"])
def test_the_cases_shared_with_the_page(one):
    assert answer(one["task"], Player()) == one["answer"]


def assert_true(task, said):
    found = Oracle(task).answer()
    assert (said["grundy"], said["wins"]) == (found["grundy"], found["wins"])
    assert as_set(said["moves"], is_sum="sum" in task) == found["moves"]
    assert len(said["moves"]) == len(found["moves"])


@pytest.mark.parametrize("one", CASES, ids=lambda one: one["name"])
def test_the_shared_cases_are_what_a_plain_search_says(one):
    assert_true(one["task"], one["answer"])


def lists(largest, most):
    return st.lists(st.integers(0, largest), max_size=most)


bars = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(lambda rows: sorted(rows, reverse=True))
boards = st.text("X-", min_size=9, max_size=9).filter(lambda board: board.count("-") <= 5)
parts = st.one_of(
    st.builds(lambda p: {"game": "nim", "position": p}, lists(4, 3)),
    st.builds(lambda p: {"game": "kayles", "position": p}, lists(6, 2)),
    st.builds(lambda p: {"game": "dawsons_chess", "position": p}, lists(6, 2)),
    st.builds(lambda p: {"game": "chomp", "position": p}, bars),
    st.builds(lambda p: {"game": "notakto", "position": [p]}, boards),
    st.builds(lambda p: {"game": "wythoff", "position": p}, st.lists(st.integers(0, 3), min_size=2, max_size=2)),
    st.builds(
        lambda p, s: {"game": "subtraction", "position": p, "set": s},
        lists(5, 2),
        st.lists(st.integers(1, 5), min_size=1, max_size=3),
    ),
    st.builds(
        lambda p, c: {"game": "octal", "position": p, "code": f"0.{c}"},
        lists(5, 2),
        st.text("01234567", min_size=1, max_size=3),
    ),
)


@settings(max_examples=60, deadline=None)
@given(parts, st.booleans())
def test_any_game_is_as_a_plain_search_says(task, misere):
    task = {**task, "misere": misere}
    assert_true(task, answer(task, Player()))


@settings(max_examples=40, deadline=None)
@given(st.lists(parts, min_size=2, max_size=2), st.booleans())
def test_any_sum_is_as_a_plain_search_says(tasks, misere):
    task = {"sum": tasks, "misere": misere}
    assert_true(task, answer(task, Player()))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(parts, st.booleans()), max_size=6))
def test_what_a_player_remembers_changes_no_answer(questions):
    one_for_all = Player()
    for task, misere in questions:
        question = {**task, "misere": misere}
        assert answer(question, one_for_all) == answer(question, Player())


NAMES = ", ".join(NOTATIONS)
WRONG = [
    ({}, "no_field", "The field game is missing."),
    ({"game": "nim"}, "no_field", "The field position is missing."),
    ({"game": "go", "position": []}, "no_such_game", f'There is no game "go"; the games are {NAMES}.'),
    ({"game": ["nim"], "position": []}, "no_such_game", f'There is no game ["nim"]; the games are {NAMES}.'),
    ({"game": "nim", "position": 5}, "not_a_position", "A position of nim is a list of heaps, not 5."),
    ({"game": "nim", "position": [-1]}, "negative_number", "A position of nim has no negative numbers, such as -1."),
    ({"game": "nim", "position": [1.5]}, "not_whole", "A position of nim must be a whole number, not 1.5."),
    ({"game": "nim", "position": [True]}, "not_whole", "A position of nim must be a whole number, not true."),
    (
        {"game": "nim", "position": [10**19]},
        "too_large_number",
        "nim is computed up to 1,000,000,000,000,000,000; this is 10,000,000,000,000,000,000.",
    ),
    ({"game": "nim", "position": [0] * 1001}, "too_many_parts", "A position has at most 1,000 parts, not 1,001."),
    (
        {"game": "chomp", "position": [1, 2]},
        "not_a_position",
        "A position of chomp is a list of the lengths of rows, none 0 or longer than the one before, not [1, 2].",
    ),
    (
        {"game": "chomp", "position": [19] * 19},
        "too_many_positions",
        "This game is too large to be searched: it has more than 100,000 positions, or too many moves.",
    ),
    ({"game": "chomp", "position": [401]}, "too_large_number", "chomp is computed up to 400; this is 401."),
    (
        {"game": "notakto", "position": ["XX"]},
        "not_a_position",
        'A position of notakto is a list of boards, each nine characters of X and -, not "XX".',
    ),
    ({"game": "notakto", "position": ["XO-------"]}, "not_a_position", None),
    ({"game": "kayles", "position": [10**6]}, "too_large_number", None),
    ({"game": "wythoff", "position": [1]}, "not_a_position", None),
    ({"game": "wythoff", "position": [1, 501]}, "too_large_number", "wythoff is computed up to 500; this is 501."),
    ({"game": "octal", "position": [1]}, "no_field", "The field code is missing."),
    (
        {"game": "octal", "code": "0.8", "position": [1]},
        "bad_code",
        'The code of an octal game is 0. and 1 to 12 digits from 0 to 7, not "0.8".',
    ),
    (
        {"game": "subtraction", "set": [0], "position": [1]},
        "bad_subtractions",
        "A subtraction game has a list of 1 to 20 numbers that may be taken, each from 1 to 1,000, not [0].",
    ),
    ({"game": "subtraction", "set": [], "position": [1]}, "bad_subtractions", None),
    ({"sum": 5}, "not_a_position", None),
    ({"sum": [5]}, "not_a_position", None),
    ({"sum": [{"sum": []}]}, "no_field", None),
    ({"game": "nim", "position": [], "misere": 1}, "not_a_position", "A position of misere is true or false, not 1."),
    (
        {"sum": [{"game": "nim", "position": [10**9]}, {"game": "kayles", "position": [1]}], "misere": True},
        "too_many_positions",
        None,
    ),
]


@pytest.mark.parametrize(("task", "code", "words"), WRONG)
def test_what_is_no_question_is_said(task, code, words):
    with pytest.raises(PuzzleError) as raised:
        answer(task, Player())
    assert raised.value.code == code
    assert words is None or str(raised.value) == words


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 6) | st.floats() | st.text("X-nim0.", max_size=9),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["nim", "chomp", "notakto", "kayles", "octal", "subtraction", "wythoff", "go"]), anything, anything
)
def test_whatever_stands_in_a_question_nothing_else_is_raised(game, position, extra):
    with suppress(PuzzleError):
        answer({"game": game, "position": position, "code": extra, "set": extra, "misere": extra == []}, Player())


def test_huge_heaps_of_nim_are_answered_at_once():
    said = answer({"game": "nim", "position": [10**18, 3, 4]}, Player())
    assert said == {"grundy": 10**18 + 7, "wins": True, "moves": [[7, 3, 4]]}
    said = answer({"game": "nim", "position": [10**18, 1, 1], "misere": True}, Player())
    assert said == {"grundy": None, "wins": True, "moves": [[1, 1, 1]]}
