import pytest

from solvers.sokoban.reading import masks


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_blank_lines_at_the_end_of_a_text_are_read_at_once(line_end):
    """A pattern took quadratic time: 16,000 line ends took three seconds, as many as here take hours."""
    blank = line_end * 1_000_000
    assert masks.lines_mask(f"rR{blank}") == f"rR{blank}"
