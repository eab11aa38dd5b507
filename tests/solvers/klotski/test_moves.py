from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError, TooLong
from solvers.klotski import Layout, Move
from solvers.klotski.errors import UnreadableMove
from solvers.klotski.moves import MAX_TEXT, is_legal, layout_after, legal_moves, parse
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA, layouts
from tests.solvers.klotski.oracle import after_moves, board


def test_a_soldier_may_turn_a_corner():
    turned = layout_after(HENG_DAO_LI_MA, Move.parse("B4dr"))
    assert turned == Layout.parse("VCCV VCCV VHHV V.oV o.oo")


def test_any_cell_of_a_piece_may_be_named():
    layout = Layout.parse("VHHV VooV VCCV VCCV o..o")
    assert {layout_after(layout, Move.parse(word)) for word in ("B3d", "C4d", "B3-B4", "C3下")} == {
        Layout.parse("VHHV VooV V..V VCCV oCCo")
    }


@pytest.mark.parametrize("word", ["B4u", "B4l", "A1d", "B5u", "B4du", "B4-B4", "B4-A5", "B2d"])
def test_what_stands_in_the_way_stops_a_piece(word):
    assert not is_legal(HENG_DAO_LI_MA, Move.parse(word))


@pytest.mark.parametrize("word", ["", "B", "B4", "E1u", "A6u", "B4x", "A1l", "B4-E5", "44", "B4d-B5"])
def test_a_word_that_is_no_move_is_refused(word):
    with pytest.raises(UnreadableMove):
        Move.parse(word)


def test_an_unreadable_move_is_named_with_its_place():
    with pytest.raises(UnreadableMove) as refusal:
        parse("1. B4d, Q7z")
    assert (refusal.value.index, refusal.value.values) == (8, {"word": "Q7z"})


def test_a_text_beyond_the_limit_is_refused():
    with pytest.raises(TooLong):
        parse("A" * (MAX_TEXT + 1))


@given(st.text(max_size=40))
def test_moves_are_read_or_refused_in_words(text):
    with suppress(PuzzleError):
        found = parse(text)
        assert [Move.parse(str(move)) for _, move in found] == [move for _, move in found]


@given(layouts)
def test_the_moves_are_those_of_the_slow_search(layout):
    layout = layout.with_names()
    moves = list(legal_moves(layout))
    assert all(is_legal(layout, move) for move in moves)
    found = [board(layout_after(layout, move)) for move in moves]
    assert sorted(map(hash, found)) == sorted(map(hash, after_moves(board(layout))))
