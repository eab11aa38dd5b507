from solvers.games import WYTHOFF
from solvers.games.search import Budget, grundy
from solvers.games.wythoff import Wythoff, cold


class Plain(Wythoff):
    def grundy(self, position):
        return None


def test_the_table_equals_a_search():
    known = {}
    for one in range(13):
        for other in range(13):
            assert WYTHOFF.grundy((one, other)) == grundy(Plain(), (one, other), known, Budget())


def test_the_cold_pairs_have_grundy_value_zero():
    zeros = {(one, other) for one in range(101) for other in range(one, 101) if WYTHOFF.grundy((one, other)) == 0}
    assert zeros == {pair for pair in map(cold, range(60)) if max(pair) <= 100}
