import pytest

from solvers.games import KAYLES
from solvers.games.octal import Period, period, values

# As published by Guy and Smith.
PERIODS = [
    ("0.4", Period(54, 34)),
    ("0.15", Period(1, 10)),
    ("0.007", None),
]


@pytest.mark.parametrize(("code", "found"), PERIODS)
def test_a_period_is_found_and_holds_for_all_values_searched(code, found):
    assert period(code) == found
    if found:
        sequence = values(code, 1_500)
        assert all(sequence[row] == sequence[row + found.length] for row in range(found.start, 1_400))
        assert found.start == 0 or sequence[found.start - 1] != sequence[found.start - 1 + found.length]


def test_the_period_gives_the_values_of_long_rows():
    assert KAYLES.grundy(99_999) == KAYLES.grundy(99_999 % 12 + 12 * 6)
