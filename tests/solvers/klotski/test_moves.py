from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.klotski import Move
from solvers.klotski.moves import is_legal, layout_after, legal_moves, parse
from tests.solvers.klotski.layouts import layouts
from tests.solvers.klotski.oracle import after_moves, board


@given(st.text(max_size=40))
def test_moves_are_read_or_refused_with_a_message(text):
    with suppress(PuzzleError):
        found = parse(text)
        assert [Move.parse(str(move)) for _, move in found] == [move for _, move in found]


@given(layouts)
def test_the_moves_equal_a_slow_search(layout):
    layout = layout.with_names()
    moves = list(legal_moves(layout))
    assert all(is_legal(layout, move) for move in moves)
    found = [board(layout_after(layout, move)) for move in moves]
    assert sorted(map(hash, found)) == sorted(map(hash, after_moves(board(layout))))
