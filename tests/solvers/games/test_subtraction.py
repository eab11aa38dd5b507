from hypothesis import given
from hypothesis import strategies as st

from solvers.games import Subtraction, mex
from solvers.games.subtraction import period

sets = st.sets(st.integers(1, 12), min_size=1, max_size=4).map(sorted)


def plain(numbers, most):
    found = []
    for heap in range(most):
        found.append(mex({found[heap - number] for number in numbers if number <= heap}))
    return found


@given(sets)
def test_values_and_period_equal_the_recursion(numbers):
    game, sequence = Subtraction(tuple(numbers)), plain(numbers, 600)
    assert [game.grundy(heap) for heap in range(600)] == sequence
    found = period(tuple(numbers))
    assert found is not None
    start, length = found
    assert all(sequence[heap] == sequence[heap + length] for heap in range(start, 600 - length))
    assert all(
        any(sequence[heap] != sequence[heap + shorter] for heap in range(start, 600 - shorter))
        for shorter in range(1, min(length, 100))
    )
