import re
from xml.etree import ElementTree

import pytest

from solvers.sokoban.drawing.draw import column_name, svg
from solvers.sokoban.drawing.sprites import THEMES
from solvers.sokoban.level import Level
from solvers.sokoban.playback import Playback

CORRIDOR = Level.parse("######|#@$.*#|######")


def classes(picture):
    return re.findall(r'class="(\w+)"', picture)


@pytest.mark.parametrize("theme", [None, *THEMES.values()])
def test_no_picture_needs_an_inline_style_or_a_script(theme):
    picture = svg(CORRIDOR, theme=theme, ruler=True, title="One & <two>", cell=10)
    ElementTree.fromstring(picture)
    assert "style" not in picture
    assert "<script" not in picture
    assert "<title>One &amp; &lt;two&gt;</title>" in picture
    assert (f'class="wall" fill="{theme.paints["wall"]}"' if theme else 'class="wall" d=') in picture
    assert ('width="70" height="40"' in picture) is bool(theme)


def test_a_position_of_a_game_is_drawn_like_the_level_it_makes():
    level = Level.parse("######|#@$-.#|######")
    playback = Playback(level, "RR")
    assert svg(level, position=playback[0]) == svg(level)
    assert svg(level, position=playback[1]) == svg(Level.parse("######|#-@$.#|######"))
    assert svg(level, position=playback[2]) == svg(Level.parse("######|#--@*#|######"))


def test_the_ruler_names_columns_and_rows():
    picture = svg(CORRIDOR, ruler=True)
    assert re.findall("<text[^>]*>(.*?)</text>", picture) == ["A", "B", "C", "D", "E", "F", "1", "2", "3"]
    assert 'viewBox="-1 -1 7 4"' in picture


@pytest.mark.parametrize(("column", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (199, "GR")])
def test_columns_are_named_like_spreadsheet_columns(column, name):
    assert column_name(column) == name


def test_a_large_level_leaves_out_what_nobody_sees_and_stays_small():
    level = Level.parse(
        "|".join(["#" * 50, *["#" + "-.$-#" * 9 + "-" * 3 + "#"] * 23, "#@" + "-" * 47 + "#", "#" * 50])
    )
    picture = svg(level)
    assert classes(picture) == ["board", "floor", "wall", "goal", "box", "man", "face"]
    assert len(picture) < 17_000
