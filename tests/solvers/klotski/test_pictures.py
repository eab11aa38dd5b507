from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from solvers.klotski import Layout, solve
from solvers.klotski.draw import LIGHT, svg
from solvers.klotski.pictures import Style, gif
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA

ALMOST = Layout.parse("VHHV VooV VCCV VCCV o..o")


@pytest.mark.parametrize("theme", [None, LIGHT])
def test_a_drawing_has_every_piece_once_and_their_names(theme):
    drawn = ElementTree.fromstring(svg(HENG_DAO_LI_MA, title="<横刀立马>", names="zh", theme=theme))
    classes = [str(element.get("class")) for element in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert sorted(classes) == ["cao", "horizontal", *["soldier"] * 4, *["vertical"] * 4]
    names = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert names == ["张", "飞", "曹操", "赵", "云", "马", "超", "关羽", "黄", "忠", *"兵兵兵兵"]


def test_a_film_has_a_frame_for_every_layout_and_rests_at_its_end():
    film = Image.open(BytesIO(gif(solve(ALMOST).layouts(), Style(cell=12), delay=40)))
    assert (film.n_frames, film.info["duration"], film.info["loop"]) == (2, 40, 0)
    film.seek(1)
    assert film.info["duration"] == 2_000
