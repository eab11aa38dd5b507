import re
from xml.etree import ElementTree

import pytest

from solvers.sokoban.drawing.draw import column_name, svg
from solvers.sokoban.drawing.sprites import DARK, LIGHT, PRINT, THEMES, sprite
from solvers.sokoban.level import Level
from solvers.sokoban.playback import Playback

CORRIDOR = Level.parse("######|#@$.*#|######")


def classes(picture):
    return re.findall(r'class="(\w+)"', picture)


def shape(picture, name):
    return re.search(rf'<path class="{name}"[^>]* d="([^"]*)"', picture)[1]


def test_a_page_gets_its_classes_and_no_colours():
    picture = svg(CORRIDOR)
    walls, things = "side wall joint top", "edge man face edge box lit plank goal edge gem home gem"
    assert " ".join(classes(picture)) == f"board floor grid {walls} {things}"
    assert " fill=" not in picture.replace('class="grid" fill="none"', "")
    assert 'viewBox="0 0 6 3"' in picture


@pytest.mark.parametrize("theme", [None, *THEMES.values()])
def test_no_picture_needs_an_inline_style_or_a_script(theme):
    picture = svg(CORRIDOR, theme=theme, ruler=True, title="One & <two>", cell=10)
    ElementTree.fromstring(picture)
    assert "style" not in picture
    assert "<script" not in picture
    assert "<title>One &amp; &lt;two&gt;</title>" in picture
    assert (f'class="wall" fill="{theme.paints["wall"]}"' if theme else 'class="wall" d=') in picture
    assert ('width="70" height="40"' in picture) is bool(theme)


def test_every_paint_of_a_kind_of_sprite_is_one_path():
    assert shape(svg(CORRIDOR), "floor") == "M1 1h4v1h-4z"
    assert shape(svg(CORRIDOR), "wall").count("M") == 14
    assert shape(svg(CORRIDOR), "goal").count("M") == 2  # its outline and its hole; the other is covered


@pytest.mark.parametrize(("glyph", "name"), [("$", "box"), ("*", "home"), ("@", "manD"), ("+", "manGD"), (".", "goal")])
def test_what_is_on_a_cell_is_drawn_as_in_the_table(glyph, name):
    layers = [paint for paint, _, _ in sprite(name)]
    assert classes(svg(Level.parse(f"###|#{glyph}#|###")))[-len(layers) :] == layers


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


def luminance(colour):
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.mark.parametrize("theme", [LIGHT, DARK, PRINT])
def test_different_things_have_different_shades_of_grey(theme):
    pairs = ("floor", "wall"), ("floor", "goal"), ("box", "home"), ("box", "plank")
    for one, other in pairs:
        assert abs(luminance(theme.paints[one]) - luminance(theme.paints[other])) > 40, (one, other)


def test_a_large_level_leaves_out_what_nobody_sees_and_stays_small():
    level = Level.parse(
        "|".join(["#" * 50, *["#" + "-.$-#" * 9 + "-" * 3 + "#"] * 23, "#@" + "-" * 47 + "#", "#" * 50])
    )
    picture = svg(level)
    assert classes(picture) == ["board", "floor", "wall", "goal", "box", "man", "face"]
    assert len(picture) < 17_000
