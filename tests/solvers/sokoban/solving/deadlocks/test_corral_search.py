import numpy as np
import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.deadlocks import corral_search
from solvers.sokoban.solving.deadlocks.corral_search import K_STATES, corral_memory_for
from solvers.sokoban.solving.floor.macros import put_boxes, work_for
from tests.solvers.sokoban.solving.doors import door

is_dead_corral = door(corral_search.is_dead_corral)


@pytest.mark.parametrize(("limit", "is_dead"), [(3, False), (4, True)])
def test_a_search_that_reaches_its_limit_calls_nothing_dead(limit, is_dead):
    board = make_board(Level.parse("#####|#--.#|#*$$#|#@.-#|#####"))
    count, boxes, memory = len(board.boxes), board.boxes.astype(np.int16), corral_memory_for(board, 1 << 14)
    work = work_for(board, count)
    put_boxes(board.size, work.blocked, boxes, count)
    found = is_dead_corral(board, work, memory, boxes, count, board.player, limit)
    assert (found, memory.counts[K_STATES]) == (is_dead, 3)
