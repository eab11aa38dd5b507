from itertools import product as pairs

from solvers.games import NOTAKTO
from solvers.games.notakto import CROSS, LOST, WORDS, is_dead, product

WORD_OF = {board: word for word, boards in WORDS.items() for board in boards.split()}
BOARDS = ["".join(board) for board in pairs("X-", repeat=9)]
LIVE = [board for board in BOARDS if not is_dead(board)]


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
