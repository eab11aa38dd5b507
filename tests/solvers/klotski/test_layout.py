from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.klotski import Layout, Mirror
from tests.solvers.klotski.layouts import layouts
from tests.solvers.klotski.oracle import board, mirrored


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


@given(layouts)
def test_mirrors_take_every_piece_to_its_image_and_back(layout):
    named = layout.with_names()
    for mirror, sides in zip(Mirror, [(True, False), (False, True), (True, True)], strict=True):
        image = named.reflect(mirror)
        assert board(image) == mirrored(board(named), *sides)
        assert image.reflect(mirror) == named
