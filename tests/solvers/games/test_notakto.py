import random
from itertools import product as pairs

import pytest

from solvers.games import NOTAKTO, Player, Term
from solvers.games.misere import Misere
from solvers.games.notakto import CROSS, LOST, WORDS, is_dead, product
from solvers.games.search import Budget

EMPTY_BOARD = "-" * 9
WORD_OF = {board: word for word, boards in WORDS.items() for board in boards.split()}
BOARDS = ["".join(board) for board in pairs("X-", repeat=9)]
LIVE = [board for board in BOARDS if not is_dead(board)]


def terms(*boards):
    return [Term(NOTAKTO, board) for board in boards]


def test_a_line_is_legal_and_kills_the_board():
    afters = [board for (board,) in NOTAKTO.moves("XX-------")]
    assert "XXX------" in afters
    assert list(NOTAKTO.moves("XXX------")) == []


def test_in_normal_play_the_empty_board_is_worth_one():
    player = Player()
    assert player.grundy(terms(EMPTY_BOARD)) == 1
    assert [player.wins(terms(*[EMPTY_BOARD] * boards)) for boards in range(5)] == [False, True, False, True, False]


def test_as_it_is_played_one_board_is_won_in_the_centre_and_two_are_lost():
    player = Player()
    assert [move.parts for move in player.winning_moves(terms(EMPTY_BOARD), misere=True)] == [("----X----",)]
    assert not player.wins(terms(EMPTY_BOARD, EMPTY_BOARD), misere=True)


def test_every_live_board_has_one_word():
    listed = [board for boards in WORDS.values() for board in boards.split()]
    assert sorted(listed) == sorted({NOTAKTO.canonical(board) for board in LIVE})


def elements():
    found = {""}
    while more := {product(word, letter) for word in found for letter in "abcd"} - found:
        found |= more
    return found


def test_the_words_multiply_as_a_commutative_monoid_of_eighteen():
    words = elements()
    assert len(words) == 18
    for one, two, three in pairs(words, repeat=3):
        assert product(product(one, two), three) == product(one, product(two, three))
    assert words > LOST


def test_the_words_say_who_loses_any_number_of_boards():
    """A sum is worth a word, and its moves lead to words. All that can occur together is closed under products."""
    generators = set()
    for board in WORD_OF:
        after = [NOTAKTO.canonical(one) for (one,) in NOTAKTO.moves(board)]
        generators.add((WORD_OF[board], frozenset("" if is_dead(one) else WORD_OF[one] for one in after)))
    sums, waiting = set(generators), list(generators)
    for word, after in waiting:
        for other, after_other in generators:
            both = frozenset(
                {product(one, other) for one in after} | {product(one, word) for one in after_other},
            )
            found = (product(word, other), both)
            if found not in sums:
                sums.add(found)
                waiting.append(found)
    assert len(sums) == 284
    for word, reached in sums:  # a sum is lost just when none of its moves leads to a lost one
        assert (word in LOST) == (not reached & LOST)
    assert "" not in LOST  # with no board left, who is to move has won


@pytest.mark.parametrize("seed", range(8))
def test_the_words_agree_with_a_search(seed):
    chance = random.Random(seed)
    boards = chance.choices(BOARDS, k=chance.randint(1, 4))
    assert NOTAKTO.wins_misere(boards) == Misere().wins(terms(*boards), Budget())


def test_a_board_turned_is_the_same_board():
    turned = "".join("XX-------"[square] for square in (6, 3, 0, 7, 4, 1, 8, 5, 2))
    assert NOTAKTO.canonical(turned) == NOTAKTO.canonical("XX-------") == "XX-------"
    assert NOTAKTO.canonical("---XXX-X-") == CROSS * 9
