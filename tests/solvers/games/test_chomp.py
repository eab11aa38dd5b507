import pytest

from solvers.games import CHOMP, Player, Term, winning_bites
from solvers.games.chomp import bite
from tests.solvers.games.oracle import chomp

SIDES = [(rows, columns) for rows in range(1, 6) for columns in range(1, 6)]


def bars_within(bar):
    found, waiting = {bar}, [bar]
    for one in waiting:
        for (left,) in CHOMP.moves(one):
            if left not in found:
                found.add(left)
                waiting.append(left)
    return found


def test_a_bite_takes_all_beyond_it():
    assert bite((5, 4, 4, 1), 1, 2) == (5, 2, 2, 1)
    assert bite((5, 4), 1, 0) == (5,)


@pytest.mark.parametrize("bar", [(1,), (3,), (2, 1), (4, 4, 2), (3, 3, 3, 3)])
def test_the_moves_are_those_of_a_bar_of_squares(bar):
    assert {left for (left,) in CHOMP.moves(bar)} == set(chomp(bar))


@pytest.mark.parametrize("sides", SIDES)
def test_the_bars_within_a_bar_are_counted(sides):
    bar = (sides[1],) * sides[0]
    assert CHOMP.count(bar) == len(bars_within(bar))


def test_the_bars_within_a_bitten_bar_are_counted():
    assert CHOMP.count((5, 3, 3, 1)) == len(bars_within((5, 3, 3, 1)))


@pytest.mark.parametrize("sides", SIDES[1:])
def test_strategy_stealing_the_first_player_wins_every_rectangle(sides):
    assert winning_bites((sides[1],) * sides[0], Player())


def test_only_poison_is_lost():
    assert not Player().wins([Term(CHOMP, (1,))])
    assert winning_bites((1,)) == []


def test_on_a_square_the_first_bite_leaves_two_arms():
    for side in range(2, 6):
        best = winning_bites((side,) * side)[0]
        assert (best.row, best.column, best.squares) == (1, 1, (side - 1) ** 2)


def test_of_two_rows_one_that_is_one_longer_is_lost():
    player = Player()
    for length in range(1, 9):
        lost = [below for below in range(1, length + 1) if not player.wins([Term(CHOMP, (length, below))])]
        assert lost == ([length - 1] if length > 1 else [])


def test_the_bites_that_take_least_come_first():
    bites = winning_bites((10,) * 3)
    assert len(bites) >= 1
    assert [one.squares for one in bites] == sorted(one.squares for one in bites)
