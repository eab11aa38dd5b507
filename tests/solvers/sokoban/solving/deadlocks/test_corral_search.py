import numpy as np
import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.deadlocks import corral_search
from solvers.sokoban.solving.deadlocks.corral_search import K_STATES, corral_memory_for
from solvers.sokoban.solving.floor.macros import put_boxes, work_for
from tests.solvers.sokoban.solving.doors import door
from tests.solvers.sokoban.solving.test_compiling import run

is_dead_corral = door(corral_search.is_dead_corral)


@pytest.mark.parametrize(("limit", "is_dead"), [(3, False), (4, True)])
def test_a_search_that_reaches_its_limit_calls_nothing_dead(limit, is_dead):
    board = make_board(Level.parse("#####|#--.#|#*$$#|#@.-#|#####"))
    count, boxes, memory = len(board.boxes), board.boxes.astype(np.int16), corral_memory_for(board, 1 << 14)
    work = work_for(board, count)
    put_boxes(board.size, work.blocked, boxes, count)
    found = is_dead_corral(board, work, memory, boxes, count, board.player, limit)
    assert (found, memory.counts[K_STATES]) == (is_dead, 3)


WITHOUT_COMPILING = """
import numpy as np
from solvers.sokoban import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.deadlocks import corral_search
from solvers.sokoban.solving.floor.macros import put_boxes, work_for
board = make_board(Level.parse("#####|#--.#|#*$$#|#@.-#|#####"))
count, boxes = len(board.boxes), board.boxes.astype(np.int16)
for corral_search.MOST_STATES in (3, 4):
    memory, work = corral_search.corral_memory_for(board, 1 << 4), work_for(board, count)
    put_boxes(board.size, work.blocked, boxes, count)
    print(corral_search.is_dead_corral(board, work, memory, boxes, count, board.player, 9))
"""


def test_the_arrays_are_long_enough_which_only_plain_python_checks():
    done = run(WITHOUT_COMPILING, NUMBA_DISABLE_JIT="1")
    assert (done.stdout.split(), done.stderr) == (["False", "True"], "")
