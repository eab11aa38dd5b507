from xml.etree import ElementTree

import pytest

from solvers.klotski.draw import LIGHT, svg
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA


@pytest.mark.parametrize("theme", [None, LIGHT])
def test_a_drawing_has_every_piece_once(theme):
    drawn = ElementTree.fromstring(svg(HENG_DAO_LI_MA, title="<横刀立马>", names="zh", theme=theme))
    classes = [str(element.get("class")) for element in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert sorted(classes) == ["cao", "horizontal", *["soldier"] * 4, *["vertical"] * 4]
