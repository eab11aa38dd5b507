from io import BytesIO
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from solvers.sokoban.drawing.draw import svg
from solvers.sokoban.drawing.outline import loops
from solvers.sokoban.drawing.pictures import MAX_FRAMES, Style, apng, gif, png, shown_moves
from solvers.sokoban.drawing.sprites import THEMES
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.playback import Playback
from solvers.sokoban.replay import replay

LEVEL = Level.parse("########|#@$.-$-#|#----.-#|#------#|########")
GAME = "RRdrrdll"  # a box is pushed onto a goal and off again; the player stands on both goals


def opened(file):
    return Image.open(BytesIO(file))


def frames(file):
    image = opened(file)
    for number in range(image.n_frames):
        image.seek(number)
        yield image.convert("RGB").tobytes(), image.info["duration"]


def test_large_boards_get_smaller_cells():
    level = Level.parse("|".join(["#" * 200, *["#" + "-" * 198 + "#"] * 197, "#@$.".ljust(199, "-") + "#", "#" * 200]))
    assert opened(png(level, Style(cell=64))).size == (1600, 1600)
    assert opened(gif(level, Moves.parse("R"), Style(cell=64))).size == (800, 800)


@pytest.mark.parametrize("film", [gif, apng])
@pytest.mark.parametrize("style", [Style(cell=8), Style(cell=9, ruler=True, title="A title")])
def test_every_frame_of_a_film_is_the_picture_of_its_position(film, style):
    """Frames store only the changed parts; combined again they give the whole picture."""
    result = replay(LEVEL, Moves.parse(GAME))
    assert (result.moves, result.pushes) == (len(GAME), 2)
    looks = zip(Playback(LEVEL, result.lurd), "D" + result.lurd.upper(), strict=True)
    drawn = (png(LEVEL, style, position=position, facing=facing) for position, facing in looks)
    expected = [opened(picture).convert("RGB").tobytes() for picture in drawn]
    assert [pixels for pixels, _ in frames(film(LEVEL, Moves.parse(GAME), style))] == expected


@pytest.mark.parametrize(
    ("step", "length", "count"),
    [("l", 1000, 1001), ("l", 1001, 2), ("L", 2_998, 2999), ("L", 2_999, 1501), ("L", 50_000, 2944)],
)
def test_long_replays_show_pushes_only_and_no_more_than_3000_frames(step, length, count):
    shown = shown_moves(step * length)
    assert (shown[0], shown[-1]) == (0, length)
    assert len(shown) == count <= MAX_FRAMES


@pytest.mark.parametrize("theme", [None, *THEMES.values()])
def test_no_picture_needs_an_inline_style_or_a_script(theme):
    picture = svg(Level.parse("######|#@$.*#|######"), theme=theme, ruler=True, title="One & <two>", cell=10)
    ElementTree.fromstring(picture)
    assert "style" not in picture
    assert "<script" not in picture
    assert "<title>One &amp; &lt;two&gt;</title>" in picture


def test_a_position_of_a_game_is_drawn_like_the_level_it_makes():
    level = Level.parse("######|#@$-.#|######")
    playback = Playback(level, "RR")
    assert svg(level, position=playback[0]) == svg(level)
    assert svg(level, position=playback[1]) == svg(Level.parse("######|#-@$.#|######"))
    assert svg(level, position=playback[2]) == svg(Level.parse("######|#--@*#|######"))


def area(line):
    """Return the area enclosed by a line, by the trapezoid formula; holes count negatively."""
    points = [(column, row) for column, row, _ in line]
    sides = zip(points, [*points[1:], points[0]], strict=True)
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in sides) / 2


@example(cells={5, 7, 9, 10}, width=4)
@given(cells=st.sets(st.integers(0, 63)), width=st.sampled_from([1, 3, 8]))
def test_the_lines_enclose_as_many_units_as_there_are_cells(cells, width):
    lines = list(loops(cells, width))
    assert sum(area(line) for line in lines) == len(cells)
    turns = {}
    for line in lines:
        for (*_place, before), (column, row, after) in zip([line[-1], *line], line, strict=False):
            turns.setdefault((column, row), []).append((after - before) % 4)
    assert all(turned in ([1], [3], [1, 1]) for turned in turns.values()), "cells that touch at a corner are joined"
