from contextlib import suppress
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.klotski import Layout, Mirror, Move
from solvers.klotski.draw import LIGHT, svg
from solvers.klotski.moves import is_legal, layout_after, legal_moves, parse
from solvers.klotski.names import CLASSICS, classic, name_of
from solvers.klotski.numbering import layout_of, number
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA, layouts
from tests.solvers.klotski.oracle import after_moves, board


@given(st.text(alphabet="CHVo.ab12兵 \n|/x", max_size=60) | st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_message(text):
    with suppress(PuzzleError):
        layout = Layout.parse(text)
        assert len(layout.pieces) == 10
        assert layout.cells.count(".") == 2


@given(layouts)
def test_a_layout_is_the_same_after_writing_and_reading(layout):
    assert Layout.parse(str(layout)) == layout
    named = layout.with_names()
    assert Layout.parse(named.named_text) == named


@given(st.integers(0, 363_479))
def test_a_number_leads_to_a_layout_and_back(at):
    assert number(layout_of(at)) == at


@pytest.mark.parametrize("known", CLASSICS, ids=lambda known: known.chinese)
def test_a_layout_is_found_by_both_names_and_named_by_its_cells(known):
    assert classic(known.chinese) == classic(known.english.upper()) == known
    assert name_of(known.layout.reflect(Mirror.LEFT_RIGHT)) == known


@pytest.mark.parametrize("theme", [None, LIGHT])
def test_a_drawing_has_every_piece_once(theme):
    drawn = ElementTree.fromstring(svg(HENG_DAO_LI_MA, title="<横刀立马>", names="zh", theme=theme))
    classes = [str(element.get("class")) for element in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert sorted(classes) == ["cao", "horizontal", *["soldier"] * 4, *["vertical"] * 4]


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
