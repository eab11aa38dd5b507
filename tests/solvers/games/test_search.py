from itertools import count

import pytest

from solvers.games import Game, Player, Term
from solvers.games.errors import EndlessGame, TooManyPositions


class Toy(Game[int]):
    def __init__(self, moves):
        self._moves = moves

    def moves(self, position):
        return self._moves(position)


DOWN = Toy(lambda position: [(position - 1,)] if position else [])
ROUND = Toy(lambda position: [((position + 1) % 3,)])
UP = Toy(lambda position: [(position + 1,)])
FAN = Toy(lambda position: ((number,) for number in count(1)) if position == 0 else ())


@pytest.mark.parametrize("misere", [False, True])
def test_a_game_of_many_moves_needs_no_deep_calls(misere):
    assert Player().wins([Term(DOWN, 2_001)], misere=misere) is not misere


@pytest.mark.parametrize("misere", [False, True])
def test_a_game_with_recurring_positions_is_refused(misere):
    with pytest.raises(EndlessGame):
        Player().wins([Term(ROUND, 0)], misere=misere)


@pytest.mark.parametrize("game", [UP, FAN])
@pytest.mark.parametrize("misere", [False, True])
def test_a_search_of_an_endless_game_is_abandoned(game, misere):
    with pytest.raises(TooManyPositions):
        Player(positions=1_000, moves=5_000).wins([Term(game, 0)], misere=misere)
