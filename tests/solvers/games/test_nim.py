from functools import reduce
from operator import xor

from hypothesis import given
from hypothesis import strategies as st

from solvers.games import NIM, Game, Player, Term

heaps = st.lists(st.integers(0, 10**18), max_size=12)


class PlainNim(Game[int]):
    """Nim without any closed form."""

    def moves(self, position):
        return ((left,) for left in range(position))


def terms(game, sizes):
    return [Term(game, size) for size in sizes]


@given(heaps)
def test_after_a_winning_move_the_sum_is_nothing(sizes):
    player = Player()
    moves = list(player.winning_moves(terms(NIM, sizes)))
    assert bool(moves) == player.wins(terms(NIM, sizes)) == (reduce(xor, sizes, 0) != 0)
    for index, (left,) in moves:
        assert left < sizes[index]
        assert reduce(xor, [*sizes[:index], left, *sizes[index + 1 :]]) == 0


@given(heaps)
def test_in_misere_play_a_winning_move_leaves_a_lost_sum(sizes):
    player = Player()
    moves = list(player.winning_moves(terms(NIM, sizes), misere=True))
    is_over = not any(sizes)
    assert (bool(moves) or is_over) == player.wins(terms(NIM, sizes), misere=True)
    for index, (left,) in moves:
        assert not player.wins(terms(NIM, [*sizes[:index], left, *sizes[index + 1 :]]), misere=True)


@given(st.lists(st.integers(0, 6), max_size=4), st.booleans())
def test_the_closed_form_is_what_the_search_says(sizes, misere):
    player = Player()
    searched = terms(PlainNim(), sizes)
    assert player.wins(terms(NIM, sizes), misere=misere) == player.wins(searched, misere=misere)
    closed = list(player.winning_moves(terms(NIM, sizes), misere=misere))
    assert closed == list(player.winning_moves(searched, misere=misere))
