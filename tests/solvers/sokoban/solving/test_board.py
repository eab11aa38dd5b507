import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.sokoban.level import Level
from solvers.sokoban.solving.board import Hopeless, make_board
from solvers.sokoban.solving.floor import floods
from solvers.sokoban.solving.floor.floods import blocks_for, label_blocks, regions, zone_key
from solvers.sokoban.solving.floor.routes import MacroMove, to_lurd
from tests.solvers.sokoban.solving.doors import door

key_without = door(floods.key_without)

LEVEL = Level.parse("########|#@-$-.-#|#--#####|#-$-.--#|########")


@st.composite
def open_boards(draw):
    width, height = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    cells = draw(st.lists(st.sampled_from("##------"), min_size=width * height, max_size=width * height))
    cells[draw(st.integers(0, width * height - 1))] = "@"
    rows = ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]
    return make_board(Level.parse("|".join(["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2)])))


def test_squares_are_numbered_row_by_row():
    board = make_board(LEVEL)
    assert list(board.cells) == sorted(LEVEL.reach)
    assert [int(board.cells[box]) for box in board.boxes] == list(LEVEL.boxes)
    assert board.neighbours[board.player].tolist() == [board.size, board.size, 1, 6]


@pytest.mark.parametrize("text", ["#######|#@$.#.#|#######", "#####|#@$$.#|#####", "########|#@$.#$*#|########"])
def test_a_level_that_cannot_be_solved_by_counting_is_hopeless(text):
    with pytest.raises(Hopeless):
        make_board(Level.parse(text))


def test_a_box_at_home_out_of_reach_is_left_out():
    assert len(make_board(Level.parse("########|#@$.#*-#|########")).boxes) == 1


@settings(deadline=None)  # the first call compiles
@given(open_boards())
def test_blocks_tell_which_squares_a_box_would_cut_off(board):
    size = board.size
    blocks, mark, queue = blocks_for(size), np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int32)
    blocked = np.zeros(size + 1, np.uint8)
    blocked[size] = 1
    blocked[board.zone_keys[: size + 1] % np.uint64(5) == 0] = 1
    count = label_blocks(size, board.neighbours, blocked, board.zone_keys, blocks)
    assert count == regions(size, board.neighbours, blocked, mark, queue)
    for square in np.flatnonzero(blocked == 0):
        blocked[square] = 1
        assert regions(size, board.neighbours, blocked, mark, queue) == count - 1 + blocks.pieces[square]
        for side in board.neighbours[square]:
            if not blocked[side]:
                mark[:] = 0
                expected = zone_key(board.neighbours, blocked, side, board.zone_keys, mark, 1, queue)
                assert key_without(board.neighbours, board.zone_keys, blocks, square, side) == expected
        blocked[square] = 0


def test_macro_moves_become_walks_and_pushes():
    board = make_board(LEVEL)
    upper, lower = map(int, board.boxes)
    goal, other = map(int, board.goals)
    macros = [MacroMove(upper, goal, goal - 1), MacroMove(lower, other, other - 1)]
    assert to_lurd(board, macros) == "rRRlllddRR"


def test_a_macro_move_that_cannot_be_played_names_its_squares():
    board = make_board(LEVEL)
    upper, lower = map(int, board.boxes)
    for source, target, message in (
        (upper + 1, upper + 2, f"no box can go from square {upper + 1} to"),
        (upper, lower, f"no box can go from square {upper} to square {lower}"),
        (upper, upper - 1, f"the box on square {upper} cannot be pushed to square {upper - 1}"),
    ):
        with pytest.raises(ValueError, match=message):
            to_lurd(board, [MacroMove(source, target, source)])
