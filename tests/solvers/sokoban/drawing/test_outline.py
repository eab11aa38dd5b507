from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban.drawing.outline import loops


def area(line):
    """Return the area enclosed by a line, by the trapezoid formula; holes count negatively."""
    points = [(column, row) for column, row, _ in line]
    sides = zip(points, [*points[1:], points[0]], strict=True)
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in sides) / 2


@given(cells=st.sets(st.integers(0, 63)), width=st.sampled_from([1, 3, 8]))
def test_the_lines_enclose_as_many_units_as_there_are_cells(cells, width):
    assert sum(area(line) for line in loops(cells, width)) == len(cells)
