import numpy as np
import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.deadlocks import corrals as closing
from solvers.sokoban.solving.deadlocks import freezing
from solvers.sokoban.solving.deadlocks.corrals import LOST, NOTHING, corrals_for
from solvers.sokoban.solving.floor import floods
from tests.solvers.sokoban.solving.doors import door

flood = door(floods.flood)
choose_corral = door(closing.choose_corral)
freezes = door(freezing.freezes)


def chosen(text):
    """The cells of the boxes that the chosen corral lets move, or what was found instead."""
    board = make_board(Level.parse(text))
    blocked = np.zeros(board.size + 1, np.uint8)
    blocked[board.size] = 1
    blocked[board.boxes] = 1
    zone, queue = np.zeros(board.size + 2, np.int32), np.zeros(board.size + 2, np.int32)
    flood(board.neighbours, blocked, board.player, zone, 1, queue)
    corrals = corrals_for(board.size)
    held = choose_corral(board, blocked, zone, 1, corrals)
    return sorted(int(board.cells[box]) for box in corrals.chosen[:held]) if held > 0 else held


def test_where_the_player_gets_everywhere_there_is_no_corral():
    assert chosen("######|#@---#|#-$.-#|#----#|######") == NOTHING


def test_a_door_that_only_opens_inwards_must_be_opened_first():
    assert chosen("########|#-@#--.#|#--$---#|#-$#-.-#|#--#####|########") == [19]


def test_a_door_that_opens_both_ways_is_no_corral():
    assert chosen("#########|#-------#|#-@-$--.#|#-------#|#########") == NOTHING


def test_a_corral_that_nobody_can_open_is_lost():
    assert chosen("########|#@-$$-.#|#--#####|#-.#####|########") == LOST


def test_a_corral_whose_boxes_are_all_home_needs_nobody():
    assert chosen("########|#@-**--#|#--#####|########") == NOTHING


def test_a_box_outside_that_may_leave_spoils_a_corral():
    assert chosen("########|#@-$$-.#|#------#|###-####|###.####|########") == NOTHING


@pytest.mark.parametrize(
    ("text", "moved", "lost"),
    [
        ("######|#----#|#-$$-#|#@-..#|######", 14, False),
        ("######|#$$--#|#@--.#|#---.#|######", 7, True),
        ("######|#**--#|#@---#|#----#|######", 7, False),
        ("######|#-$--#|#-$--#|#@..-#|######", 8, True),
    ],
)
def test_a_push_freezes_boxes_off_their_goals(text, moved, lost):
    level = Level.parse(text)
    board = make_board(level)
    blocked = np.zeros(board.size + 1, np.uint8)
    blocked[board.size] = 1
    blocked[board.boxes] = 1
    cluster, frozen = np.zeros(board.size + 2, np.int32), np.zeros(board.size + 1, np.uint8)
    square = int(np.flatnonzero(board.cells == moved)[0])
    assert freezes(board, blocked, square, cluster, frozen) is lost
    assert not frozen.any()
