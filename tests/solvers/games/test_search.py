from itertools import count
from itertools import product as pairs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.games import KAYLES, NOTAKTO, WYTHOFF, Game, Player, Subtraction, Term, mex, subtraction
from solvers.games.errors import EndlessGame, TooManyPositions
from solvers.games.notakto import CROSS, LOST, WORDS, is_dead, product
from solvers.games.octal import Period, period, values
from solvers.games.wythoff import cold

WORD_OF = {board: word for word, boards in WORDS.items() for board in boards.split()}
LIVE = [board for board in map("".join, pairs("X-", repeat=9)) if not is_dead(board)]


class Toy(Game[int]):
    def __init__(self, moves):
        self._moves = moves

    def moves(self, position):
        return self._moves(position)


DOWN = Toy(lambda position: [(position - 1,)] if position else [])
FAN = Toy(lambda position: ((number,) for number in count(1)) if position == 0 else ())


@pytest.mark.parametrize("misere", [False, True])
def test_a_game_of_many_moves_needs_no_deep_calls(misere):
    assert Player().wins([Term(DOWN, 2_001)], misere=misere) is not misere


@pytest.mark.parametrize("misere", [False, True])
def test_a_game_with_recurring_positions_is_refused(misere):
    with pytest.raises(EndlessGame):
        Player().wins([Term(Toy(lambda position: [((position + 1) % 3,)]), 0)], misere=misere)


@pytest.mark.parametrize("game", [Toy(lambda position: [(position + 1,)]), FAN])
@pytest.mark.parametrize("misere", [False, True])
def test_a_search_of_an_endless_game_is_abandoned(game, misere):
    with pytest.raises(TooManyPositions):
        Player(positions=1_000, moves=5_000).wins([Term(game, 0)], misere=misere)


def test_every_live_board_has_one_word():
    listed = [board for boards in WORDS.values() for board in boards.split()]
    assert sorted(listed) == sorted({NOTAKTO.canonical(board) for board in LIVE})
    assert NOTAKTO.canonical("---XXX-X-") == CROSS * 9


def test_the_words_decide_the_outcome_of_any_number_of_boards():
    """Build every pair (value of a sum, values after one move) as a closure under products, and check LOST on each."""
    generators = set()
    for board in WORD_OF:
        after = [NOTAKTO.canonical(one) for (one,) in NOTAKTO.moves(board)]
        generators.add((WORD_OF[board], frozenset("" if is_dead(one) else WORD_OF[one] for one in after)))
    sums, waiting = set(generators), list(generators)
    for word, after in waiting:
        for other, after_other in generators:
            both = frozenset({product(one, other) for one in after} | {product(one, word) for one in after_other})
            found = (product(word, other), both)
            if found not in sums:
                sums.add(found)
                waiting.append(found)
    assert len(sums) == 284
    for word, reached in sums:  # a sum is lost exactly if no move from it leads to a lost sum
        assert (word in LOST) == (not reached & LOST)
    assert "" not in LOST  # with no board left, the player to move has won


# As published by Guy and Smith.
@pytest.mark.parametrize(("code", "found"), [("0.4", Period(54, 34)), ("0.007", None)])
def test_a_period_is_found_and_holds_for_all_values_searched(code, found):
    assert period(code) == found
    if found:
        sequence = values(code, 1_500)
        assert all(sequence[row] == sequence[row + found.length] for row in range(found.start, 1_400))
        assert found.start == 0 or sequence[found.start - 1] != sequence[found.start - 1 + found.length]


def test_the_period_gives_the_values_of_long_rows():
    assert KAYLES.grundy(99_999) == KAYLES.grundy(99_999 % 12 + 12 * 6)


@given(st.sets(st.integers(1, 12), min_size=1, max_size=4).map(sorted))
def test_values_and_period_of_a_subtraction_game_equal_the_recursion(numbers):
    sequence = []
    for heap in range(600):
        sequence.append(mex({sequence[heap - number] for number in numbers if number <= heap}))
    game = Subtraction(tuple(numbers))
    assert [game.grundy(heap) for heap in range(600)] == sequence
    found = subtraction.period(tuple(numbers))
    assert found is not None
    start, length = found
    assert all(sequence[heap] == sequence[heap + length] for heap in range(start, 600 - length))
    assert all(
        any(sequence[heap] != sequence[heap + shorter] for heap in range(start, 600 - shorter))
        for shorter in range(1, min(length, 100))
    )


def test_the_cold_pairs_have_grundy_value_zero():
    zeros = {(one, other) for one in range(101) for other in range(one, 101) if WYTHOFF.grundy((one, other)) == 0}
    assert zeros == {pair for pair in map(cold, range(60)) if max(pair) <= 100}
