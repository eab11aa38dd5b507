import pytest

from solvers.games import CHOMP, winning_bites
from tests.solvers.games.oracle import chomp


@pytest.mark.parametrize("bar", [(1,), (5,), (4, 4), (3, 3, 3, 3), (5, 3, 3, 1)])
def test_the_bars_within_a_bar_are_counted(bar):
    found, waiting = {bar}, [bar]
    for one in waiting:
        waiting += set(chomp(one)) - found
        found.update(waiting)
    assert CHOMP.count(bar) == len(found)


def test_the_smallest_bites_come_first():
    bites = winning_bites((10,) * 3)
    assert [one.squares for one in bites] == sorted(one.squares for one in bites)
    assert {(one.row, one.column) for one in winning_bites((4,) * 4)} == {(1, 1)}
    assert winning_bites((1,)) == []
