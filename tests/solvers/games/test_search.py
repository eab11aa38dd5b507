from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.games import Game, Player, Term, mex
from solvers.games.errors import EndlessGame, TooManyPositions


class Ladder(Game[int]):
    """One step down at a time."""

    def moves(self, position):
        return [(position - 1,)] if position else []


class Circle(Game[int]):
    """Round and round."""

    def moves(self, position):
        return [((position + 1) % 3,)]


class Stairs(Game[int]):
    """Up without end."""

    def moves(self, position):
        return [(position + 1,)]


class Fan(Game[int]):
    """Moves without end."""

    def moves(self, position):
        return ((number,) for number in count(1)) if position == 0 else ()


@given(st.sets(st.integers(0, 20)))
def test_mex_is_the_least_number_that_lacks(values):
    assert mex(values) not in values
    assert set(range(mex(values))) <= values


@pytest.mark.parametrize("misere", [False, True])
def test_a_game_of_many_moves_needs_no_deep_calls(misere):
    assert Player().wins([Term(Ladder(), 2_001)], misere=misere) is not misere


@pytest.mark.parametrize("misere", [False, True])
def test_a_game_that_comes_back_is_refused(misere):
    with pytest.raises(EndlessGame) as raised:
        Player().wins([Term(Circle(), 0)], misere=misere)
    assert str(raised.value) == "Play can come back to 0: a game that need not end has no Grundy values."


@pytest.mark.parametrize("game", [Stairs(), Fan()])
@pytest.mark.parametrize("misere", [False, True])
def test_a_game_without_end_is_given_up(game, misere):
    with pytest.raises(TooManyPositions):
        Player(positions=1_000, moves=5_000).wins([Term(game, 0)], misere=misere)


def test_after_giving_up_the_player_still_answers():
    player = Player(positions=1_000, moves=5_000)
    with pytest.raises(TooManyPositions):
        player.wins([Term(Ladder(), 5_000)])
    assert player.grundy([Term(Ladder(), 501)]) == 1
