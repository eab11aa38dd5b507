import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.sokoban.drawing.outline import loops, outline


@pytest.mark.parametrize(
    ("cells", "path"),
    [
        ([], ""),
        ([4], "M1 1h1v1h-1z"),
        ([0, 1, 2], "M0 0h3v1h-3z"),
        ([2, 3], "M2 0h1v1h-1zM0 1h1v1h-1z"),
        ([0, 1, 2, 3, 5, 6, 7, 8], "M0 0h3v3h-3zM1 1v1h1v-1z"),
    ],
    ids=["nothing", "one cell", "a row", "cells of two rows that follow each other", "a ring"],
)
def test_every_part_and_every_hole_has_one_line(cells, path):
    assert outline(cells, 3) == path


def area(line):
    """Return the area enclosed by a line, by the trapezoid formula; holes count negatively."""
    points = [(column, row) for column, row, _ in line]
    sides = zip(points, [*points[1:], points[0]], strict=True)
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in sides) / 2


@settings(deadline=None)
@given(cells=st.sets(st.integers(0, 63)), width=st.sampled_from([1, 3, 8]))
def test_the_lines_enclose_as_many_units_as_there_are_cells(cells, width):
    assert sum(area(line) for line in loops(cells, width)) == len(cells)
