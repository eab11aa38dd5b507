from solvers.games import WYTHOFF
from solvers.games.wythoff import cold


def test_the_cold_pairs_have_grundy_value_zero():
    zeros = {(one, other) for one in range(101) for other in range(one, 101) if WYTHOFF.grundy((one, other)) == 0}
    assert zeros == {pair for pair in map(cold, range(60)) if max(pair) <= 100}
