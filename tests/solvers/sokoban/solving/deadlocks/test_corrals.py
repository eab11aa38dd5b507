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


def blocked_by_boxes(board):
    blocked = np.zeros(board.size + 1, np.uint8)
    blocked[board.size] = 1
    blocked[board.boxes] = 1
    return blocked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("######|#@---#|#-$.-#|#----#|######", NOTHING),  # the player can reach every square
        (
            "########|#-@#--.#|#--$---#|#-$#-.-#|#--#####|########",
            [19],
        ),  # a door that only opens inwards
        ("#########|#-------#|#-@-$--.#|#-------#|#########", NOTHING),  # a door that opens both ways
        ("########|#@-$$-.#|#--#####|#-.#####|########", LOST),  # nobody can open it
        ("########|#@-**--#|#--#####|########", NOTHING),  # all its boxes are home
        ("########|#@-$$-.#|#------#|###-####|###.####|########", NOTHING),  # a box outside may leave
    ],
)
def test_a_corral_allows_a_push_or_is_no_corral_or_is_lost(text, expected):
    """Return the cells of the boxes that may move."""
    board = make_board(Level.parse(text))
    blocked = blocked_by_boxes(board)
    zone, queue = np.zeros(board.size + 2, np.int32), np.zeros(board.size + 2, np.int32)
    flood(board.neighbours, blocked, board.player, zone, 1, queue)
    corrals = corrals_for(board.size)
    held = choose_corral(board, blocked, zone, 1, corrals)
    assert (sorted(int(board.cells[box]) for box in corrals.chosen[:held]) if held > 0 else held) == expected


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
    board = make_board(Level.parse(text))
    cluster, frozen = np.zeros(board.size + 2, np.int32), np.zeros(board.size + 1, np.uint8)
    square = int(np.flatnonzero(board.cells == moved)[0])
    assert freezes(board, blocked_by_boxes(board), square, cluster, frozen) is lost
    assert not frozen.any()
