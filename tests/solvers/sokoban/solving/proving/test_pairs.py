from solvers.sokoban import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.floor.squares import live_squares
from solvers.sokoban.solving.proving.pairs import pairs_of


def test_pairs_are_left_out_only_if_their_tables_would_be_too_large():
    board = make_board(Level.parse("########|#@-$-.-#|#--$-.-#|########"))
    squares = live_squares(board.dead)
    live = len(squares.square)
    least = live * live * (board.size + 2 * 2 * 2)
    assert pairs_of(board, squares, least).state.shape == (live * live,)
    assert pairs_of(board, squares, least - 1).state.shape == (0,)
