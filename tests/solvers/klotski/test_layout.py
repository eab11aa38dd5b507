from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError, TooLong
from solvers.klotski import Layout, Mirror
from solvers.klotski.errors import BrokenPiece, WrongPieces, WrongRows
from solvers.klotski.layout import MAX_TEXT
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA, layouts
from tests.solvers.klotski.oracle import board, mirrored


@pytest.mark.parametrize(
    "text",
    [
        "VCCV\nVCCV\nVHHV\nVooV\no..o",
        "VCCV|VCCV|VHHV|VooV|o..o",
        "  VCCV/VCCV/VHHV/VooV/o00o\n\n",
        "VCCVVCCVVHHVVooVo--o",
        "张曹曹马 张曹曹马 黄关关赵 黄兵兵赵 兵空空兵",
        "张曹曹马|张曹曹马|黄关关赵|黄卒卒赵|卒..卒",
        "aCCb aCCb cddg c12g 3__4",
        "hxxi\r\nhxxi\r\njbbk\r\njnok\r\np..q",
    ],
)
def test_a_board_is_read_however_it_is_written(text):
    assert Layout.parse(text).cells == HENG_DAO_LI_MA.cells


@pytest.mark.parametrize(
    ("text", "error", "line", "column"),
    [
        ("", WrongRows, None, None),
        ("VCCV\nVCCV\nVHHV\nVooV", WrongRows, 4, 1),
        ("VCCV\nVCCVo\nVHHV\nVooV\no..o", WrongRows, 2, 1),
        ("VCCV\nVCCV\nVHHV\nVooV\no..o\noooo", WrongRows, 6, 1),
        ("VCCV\nVCCV\nVHHV\nVooV\no..H", BrokenPiece, 5, 4),
        ("VCCV\nVCCV\nVH.V\nVooV\no..o", BrokenPiece, 3, 2),
        ("oCCV\nVCCV\nVHHV\nVooV\no..o", BrokenPiece, 4, 1),
        ("aCCb\naCCb\ncddg\nc12g\n3.a4", BrokenPiece, 1, 1),
        ("VCCV\nVCCV\nVHHV\nVooV\noo.o", WrongPieces, None, None),
        ("....\n....\n....\n....\n....", WrongPieces, None, None),
        ("VVVV\nVVVV\nVVVV\nVVVV\noooo", WrongPieces, None, None),
        ("CCCC\nCCCC\nVHHV\nVooV\no..o", WrongPieces, None, None),
        ("x" * (MAX_TEXT + 1), TooLong, None, None),
    ],
)
def test_a_wrong_board_is_refused_with_its_place(text, error, line, column):
    with pytest.raises(error) as refusal:
        Layout.parse(text)
    assert (refusal.value.line, refusal.value.column) == (line, column)


def test_an_error_says_what_is_there_and_what_is_needed():
    with pytest.raises(WrongPieces) as refusal:
        Layout.parse("VCCV VCCV VHHV VooV oooo")
    assert str(refusal.value) == (
        "A board has 1 block of 2x2, 5 dominoes, 4 soldiers and 2 empty cells; this one has 1, 5, 6 and 0."
    )


@given(st.text(alphabet="CHVo.ab12兵 \n|/x", max_size=60) | st.text(max_size=60))
def test_whatever_is_read_is_a_board_or_refused_in_words(text):
    with suppress(PuzzleError):
        layout = Layout.parse(text)
        assert len(layout.pieces) == 10
        assert layout.cells.count(".") == 2


@given(layouts)
def test_a_layout_is_the_same_after_writing_and_reading(layout):
    assert Layout.parse(str(layout)) == layout
    named = layout.with_names()
    assert Layout.parse(named.named_text) == named


@given(layouts)
def test_mirrors_take_every_piece_to_its_image_and_back(layout):
    named = layout.with_names()
    for mirror, sides in zip(Mirror, [(True, False), (False, True), (True, True)], strict=True):
        image = named.reflect(mirror)
        assert board(image) == mirrored(board(named), *sides)
        assert image.reflect(mirror) == named
