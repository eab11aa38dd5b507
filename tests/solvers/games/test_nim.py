from hypothesis import given
from hypothesis import strategies as st

from solvers.games import NIM, Game, Player, Term


class PlainNim(Game[int]):
    """Nim without a closed form."""

    def moves(self, position):
        return ((left,) for left in range(position))


def terms(game, sizes):
    return [Term(game, size) for size in sizes]


@given(st.lists(st.integers(0, 6), max_size=4), st.booleans())
def test_the_closed_form_equals_a_search(sizes, misere):
    player = Player()
    searched = terms(PlainNim(), sizes)
    assert player.wins(terms(NIM, sizes), misere=misere) == player.wins(searched, misere=misere)
    closed = list(player.winning_moves(terms(NIM, sizes), misere=misere))
    assert closed == list(player.winning_moves(searched, misere=misere))
