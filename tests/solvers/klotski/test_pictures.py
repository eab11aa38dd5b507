from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from solvers.klotski import Layout, solve
from solvers.klotski.draw import LIGHT, THEMES, svg
from solvers.klotski.pictures import Style, gif, png
from solvers.klotski.records.charts import CHINESE, chart
from solvers.klotski.records.distributions import Measure
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA

ALMOST = Layout.parse("VHHV VooV VCCV VCCV o..o")


@pytest.mark.parametrize("theme", [None, LIGHT])
def test_a_drawing_has_every_piece_once_and_their_names(theme):
    drawn = ElementTree.fromstring(svg(HENG_DAO_LI_MA, title="<横刀立马>", names="zh", theme=theme))
    classes = [str(element.get("class")) for element in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert sorted(classes) == ["cao", "horizontal", *["soldier"] * 4, *["vertical"] * 4]
    names = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert names == ["张", "飞", "曹操", "赵", "云", "马", "超", "关羽", "黄", "忠", *"兵兵兵兵"]


def test_a_picture_has_the_colours_of_its_pieces():
    image = Image.open(BytesIO(png(HENG_DAO_LI_MA, Style(cell=30)))).convert("RGB")
    assert image.size == (130, 160)
    assert image.getpixel((65, 35)) == (0xB5, 0x41, 0x2B)
    assert image.getpixel((65, 140)) == (0xF4, 0xEC, 0xDB)


def luminance(colour):
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in bytes.fromhex(colour[1:]))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_names_can_be_read_on_every_piece(theme):
    others = [(theme.name, piece) for piece in (theme.horizontal, theme.vertical, theme.soldier)]
    for name, piece in [(theme.cao_name, theme.cao), *others]:
        dark, light = sorted((luminance(name), luminance(piece)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (name, piece)


def test_a_film_has_a_frame_for_every_layout_and_rests_at_its_end():
    film = Image.open(BytesIO(gif(solve(ALMOST).layouts(), Style(cell=12), delay=40)))
    assert (film.n_frames, film.info["duration"], film.info["loop"]) == (2, 40, 0)
    film.seek(1)
    assert film.info["duration"] == 2_000


def test_letters_that_no_font_has_are_left_out():
    assert png(ALMOST, Style(title="Ada \U0010fffd")) == png(ALMOST, Style(title="Ada"))
    assert png(ALMOST, Style(title="\U0010fffd")) == png(ALMOST)


@pytest.mark.parametrize("measure", list(Measure))
def test_a_chart_has_a_curve_for_every_class_that_has_any(measure):
    drawn = ElementTree.fromstring(chart(measure, texts=CHINESE[measure], alone=True))
    curves = list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))
    assert len(curves) == {"upside-down": 5, "rotated": 4}.get(measure, 6)
    assert chart(measure, classes=[2]).count("<polyline") == 1
