"""Closed forms of octal games, subtraction games and Wythoff's game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.games import KAYLES, WYTHOFF, Subtraction, mex, subtraction
from solvers.games.octal import Period, period, values
from solvers.games.wythoff import cold


# As published by Guy and Smith.
@pytest.mark.parametrize(("code", "found"), [("0.4", Period(54, 34)), ("0.007", None)])
def test_a_period_is_found_and_holds_for_all_values_searched(code, found):
    assert period(code) == found
    if found:
        sequence = values(code, 1_500)
        assert all(sequence[row] == sequence[row + found.length] for row in range(found.start, 1_400))
        assert found.start == 0 or sequence[found.start - 1] != sequence[found.start - 1 + found.length]


def test_the_period_gives_the_values_of_long_rows():
    assert KAYLES.grundy(99_999) == KAYLES.grundy(99_999 % 12 + 12 * 6)


@given(st.sets(st.integers(1, 12), min_size=1, max_size=4).map(sorted))
def test_values_and_period_of_a_subtraction_game_equal_the_recursion(numbers):
    sequence = []
    for heap in range(600):
        sequence.append(mex({sequence[heap - number] for number in numbers if number <= heap}))
    game = Subtraction(tuple(numbers))
    assert [game.grundy(heap) for heap in range(600)] == sequence
    found = subtraction.period(tuple(numbers))
    assert found is not None
    start, length = found
    assert all(sequence[heap] == sequence[heap + length] for heap in range(start, 600 - length))
    assert all(
        any(sequence[heap] != sequence[heap + shorter] for heap in range(start, 600 - shorter))
        for shorter in range(1, min(length, 100))
    )


def test_the_cold_pairs_have_grundy_value_zero():
    zeros = {(one, other) for one in range(101) for other in range(one, 101) if WYTHOFF.grundy((one, other)) == 0}
    assert zeros == {pair for pair in map(cold, range(60)) if max(pair) <= 100}
