from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.games import Player
from solvers.games.batch import answer
from tests.solvers.games.oracle import Oracle, as_set
from tests.solvers.vectors import cases

bars = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(lambda rows: sorted(rows, reverse=True))
boards = st.text("X-", min_size=9, max_size=9).filter(lambda board: board.count("-") <= 5)
ONE_FOR_ALL = Player()
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 6) | st.floats() | st.text("X-nim0.", max_size=9),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@cases("games")
def test_the_cases_shared_with_the_page(case):
    assert answer(case["task"], Player()) == case["answer"]


def lists(largest, most):
    return st.lists(st.integers(0, largest), max_size=most)


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


@given(parts, parts, st.booleans())
def test_any_game_or_sum_agrees_with_a_plain_search_whatever_is_cached(one, other, misere):
    for task in ({**one, "misere": misere}, {"sum": [one, other], "misere": misere}):
        result = answer(task, Player())
        found = Oracle(task).answer()
        assert (result["grundy"], result["wins"]) == (found["grundy"], found["wins"])
        assert as_set(result["moves"], is_sum="sum" in task) == found["moves"]
        assert len(result["moves"]) == len(found["moves"])
        assert answer(task, ONE_FOR_ALL) == result


WRONG = [
    ({"game": "go", "position": []}, "no_such_game"),
    ({"game": "nim", "position": 5}, "not_a_position"),
    ({"game": "nim", "position": [-1]}, "negative_number"),
    ({"game": "nim", "position": [10**18 + 1]}, "too_large_number"),
    ({"game": "nim", "position": [0] * 1001}, "too_many_parts"),
    ({"sum": [{"game": "nim", "position": []}] * 1001}, "too_many_parts"),
    ({"game": "chomp", "position": [19] * 19}, "too_many_positions"),
    ({"game": "chomp", "position": [401]}, "too_large_number"),
    ({"game": "notakto", "position": ["XO-------"]}, "not_a_position"),
    ({"game": "kayles", "position": [10**5 + 1]}, "too_large_number"),
    ({"game": "wythoff", "position": [1, 501]}, "too_large_number"),
    ({"game": "octal", "position": [1]}, "no_field"),
    ({"game": "octal", "code": "0.8", "position": [1]}, "bad_code"),
    ({"game": "subtraction", "set": [0], "position": [1]}, "bad_subtractions"),
    ({"sum": [5]}, "not_a_position"),
    (
        {"sum": [{"game": "nim", "position": [10**9]}, {"game": "kayles", "position": [1]}], "misere": True},
        "too_many_positions",
    ),
]


@pytest.mark.parametrize(("task", "code"), WRONG)
def test_an_invalid_question_is_refused(task, code):
    with pytest.raises(PuzzleError) as raised:
        answer(task, Player())
    assert raised.value.code == code


@given(
    st.sampled_from(["nim", "chomp", "notakto", "kayles", "octal", "subtraction", "wythoff", "go"]), anything, anything
)
def test_an_arbitrary_question_raises_only_puzzle_errors(game, position, extra):
    with suppress(PuzzleError):
        answer({"game": game, "position": position, "code": extra, "set": extra, "misere": extra == []}, Player())
