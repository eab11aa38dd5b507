import re
from itertools import pairwise

from solvers.logic.landscape import classes_svg


def test_each_class_is_drawn_inside_the_larger_one():
    areas = re.findall(r'<rect class="area b[0-9]" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', classes_svg())
    sides = [(x, y, -x - width, -y - height) for x, y, width, height in (map(int, area) for area in areas)]
    assert len(sides) == 4
    for outer, inner in pairwise(sides):
        assert all(far < near for far, near in zip(outer, inner, strict=True))
