import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import NotText, TooLong
from solvers.sokoban.formats.text import LINE_END, MAX_LINE, decode, fold, fold_moves, split_lines


@pytest.mark.parametrize("data", [b"PK\x03\x04" + b"a" * 5000, b"\x1f\x8b\x08", bytes(range(256))])
def test_a_file_that_is_not_text_is_refused(data):
    with pytest.raises(NotText):
        decode(data)


@given(st.lists(st.text("ab\r\n", max_size=4)))
def test_lines_do_not_depend_on_how_the_text_is_cut_into_pieces(pieces):
    assert list(split_lines(pieces)) == LINE_END.split("".join(pieces))


def test_a_line_without_an_end_is_bounded():
    with pytest.raises(TooLong):
        list(split_lines("a" * 100_000 for _ in range(MAX_LINE // 100_000 + 2)))


@given(st.text())
def test_in_moves_every_character_keeps_its_place(text):
    assert len(fold_moves(text)) == len(text)


@pytest.mark.parametrize("mark", "\u200b\u200c\u200d\u2060\u00ad")
def test_an_invisible_character_is_dropped(mark):
    assert fold(f"#{mark}@") == "#@"
