from xml.etree import ElementTree

import pytest

from solvers.sokoban.drawing.draw import svg
from solvers.sokoban.drawing.sprites import THEMES
from solvers.sokoban.level import Level
from solvers.sokoban.playback import Playback

CORRIDOR = Level.parse("######|#@$.*#|######")


@pytest.mark.parametrize("theme", [None, *THEMES.values()])
def test_no_picture_needs_an_inline_style_or_a_script(theme):
    picture = svg(CORRIDOR, theme=theme, ruler=True, title="One & <two>", cell=10)
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
