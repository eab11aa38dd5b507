"""The depth-first tree against definitions: cut squares by removing each square, blocks by `blocks_around`."""

import re
from random import Random

import pytest

from solvers.errors import TooMuchToDraw
from solvers.sokoban import Level
from solvers.sokoban.blocks import blocks_around
from solvers.sokoban.position import Position
from solvers.sokoban.teaching import Low, draw_floor, draw_floor_tree, grow_floor_tree
from solvers.sokoban.teaching.floor_tree import beside
from tests import sizes

TWO_ROOMS = "#######|#--#--#|#@---$#|#--#-.#|#######"


def random_level(seed):
    """A room of 7 x 5 with random walls, and a player, two boxes and two goals in it."""
    random = Random(seed)
    inside = [random.choice("--#") for _ in range(35)]
    for letter, at in zip("@$$..", random.sample(range(35), 5), strict=True):
        inside[at] = letter
    rows = ["".join(inside[row * 7 : row * 7 + 7]) for row in range(5)]
    return Level.parse("|".join(["#" * 9, *(f"#{row}#" for row in rows), "#" * 9]))


def pieces(level, cells):
    left, count = set(cells), 0
    while left:
        count += 1
        waiting = [left.pop()]
        while waiting:
            near = [cell for cell in beside(level, waiting.pop()) if cell in left]
            left -= set(near)
            waiting += near
    return count


@pytest.mark.parametrize("seed", sizes.cases(range(5), range(100)))
def test_both_variants_find_the_cut_squares_and_blocks_of_the_definition(seed):
    level = random_level(seed)
    tree = grow_floor_tree(level)
    assert set(tree.cells) == set(level.reach)
    cut = tuple(sorted(cell for cell in tree.cells if pieces(level, set(tree.cells) - {cell}) > 1))
    assert {tree.cut_cells(by) for by in Low} == {cut}
    assert tree.blocks(Low.NUMBER) == tree.blocks(Low.DEPTH)
    for box in set(level.boxes) & level.reach:
        lifted = grow_floor_tree(level, box=box)
        assert lifted.blocks() == blocks_around(level, Position.start(level), box)


def test_the_pictures_show_each_square_edge_and_cut_square():
    level = Level.parse(TWO_ROOMS)
    tree = grow_floor_tree(level)
    for svg in (draw_floor(level), draw_floor_tree(level, by=Low.DEPTH)):
        assert svg.count('class="node') == len(tree.cells)
        assert svg.count('class="link"') == len(tree.cells) - 1
        assert svg.count('class="back"') == len(tree.back_edges)
        assert svg.count('class="node cut"') == 3
        assert "cut: C3, D3, E3." in svg
    for by, first in ((Low.NUMBER, 1), (Low.DEPTH, 0)):
        assert min(map(int, re.findall(r'class="value"[^>]*>(\d+)<', draw_floor(level, by=by)))) == first


def test_a_large_floor_is_refused_and_a_cell_without_a_box_too():
    wide = Level.parse("#" * 50 + "|" + ("#" + "-" * 48 + "#|") * 9 + "#@$." + "-" * 45 + "#|" + "#" * 50)
    with pytest.raises(TooMuchToDraw):
        grow_floor_tree(wide)
    with pytest.raises(ValueError, match="no box"):
        grow_floor_tree(Level.parse(TWO_ROOMS), box=8)
