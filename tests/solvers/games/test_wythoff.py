import pytest

from solvers.games import WYTHOFF
from solvers.games.search import Budget, grundy
from solvers.games.wythoff import Wythoff, cold, is_cold


class Plain(Wythoff):
    def grundy(self, position):
        return None


def test_the_table_is_what_a_search_says():
    known = {}
    for one in range(13):
        for other in range(13):
            assert WYTHOFF.grundy((one, other)) == grundy(Plain(), (one, other), known, Budget())


def test_the_cold_pairs_are_those_of_value_nothing():
    zeros = {(one, other) for one in range(101) for other in range(one, 101) if WYTHOFF.grundy((one, other)) == 0}
    assert zeros == {pair for pair in map(cold, range(60)) if max(pair) <= 100}


@pytest.mark.parametrize("number", [0, 1, 7, 10**6, 10**30])
def test_a_cold_pair_of_any_size_is_known_either_way_round(number):
    one, other = cold(number)
    assert is_cold(one, other)
    assert is_cold(other, one)
    assert not is_cold(one, other + 1)


def test_every_number_from_one_stands_in_just_one_cold_pair():
    """Beatty: the two sequences share no number, and lack none."""
    numbers = [number for index in range(1, 2_000) for number in cold(index)]
    assert sorted(number for number in numbers if number <= 3_000) == [*range(1, 3_001)]
