from itertools import combinations

import numpy as np
import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.deadlocks import dead_pairs
from tests import sizes
from tests.solvers.sokoban.solving.doors import door
from tests.solvers.sokoban.solving.full_search import can_get_home, cheapest
from tests.solvers.sokoban.solving.small_boards import unsolved

has_lost_pair = door(dead_pairs.has_lost_pair)
has_lost_partner = door(dead_pairs.has_lost_partner)


def comes_from_the_start(level, player, boxes):
    """Return whether any two boxes of the start, alone on the board, can be pushed there, with the player there."""
    wanted = player, frozenset(boxes)
    starts = [(level.player, frozenset(pair)) for pair in combinations(level.boxes, 2)]
    return any(
        start == wanted or cheapest(level, lambda _: (1, 0), start, lambda state, _: state == wanted) is not None
        for start in starts
    )


@pytest.mark.parametrize("seed", sizes.cases([1, 2], range(1, 21)))
def test_a_pair_is_dead_exactly_if_no_search_brings_it_home_and_born_if_pushes_lead_to_it(seed):
    dead = unborn = 0
    for level, board, chance in unsolved(seed, 40):
        pairs = dead_pairs.dead_pairs_for(board)
        live = np.flatnonzero(board.dead == 0).tolist()
        if not pairs.live or len(live) < 3:
            continue
        for _ in range(10):
            *boxes, player = chance.sample(live, 3)
            cells = [int(board.cells[square]) for square in boxes]
            squares, stand = np.array(boxes, np.int16), int(board.cells[player])
            is_dead = has_lost_pair(pairs, pairs.alive, squares, 2, player)
            assert is_dead != can_get_home(level, stand, cells), f"{cells}\n{level}"
            assert {has_lost_partner(pairs, pairs.alive, squares, 2, box, player) for box in boxes} == {is_dead}
            dead += is_dead
            if not is_dead:  # pushes over dead squares, which no pull undoes, lead only to dead pairs
                is_unborn = has_lost_partner(pairs, pairs.born, squares, 2, boxes[0], player)
                assert is_unborn != comes_from_the_start(level, stand, cells), f"{cells}\n{level}"
                unborn += is_unborn
    assert min(dead, unborn) > 20


def test_one_goal_or_too_large_a_board_has_no_table(monkeypatch):
    assert dead_pairs.dead_pairs_for(make_board(Level.parse("#####|#@$.#|#####"))).live == 0
    board = make_board(Level.parse("########|#@-$-.-#|#--$-.-#|########"))
    live = int((board.dead == 0).sum())
    for least, expected in (live * live * (board.size + 5), live), (live * live * (board.size + 5) - 1, 0):
        monkeypatch.setattr(dead_pairs, "MOST_BYTES", least)
        assert dead_pairs.dead_pairs_for(board).live == expected
