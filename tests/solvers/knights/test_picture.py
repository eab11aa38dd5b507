import xml.etree.ElementTree as ElementTree

from solvers.knights import open_distance
from solvers.knights.picture import cases_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_has_the_number_of_moves_in_every_square():
    picture = ElementTree.fromstring(cases_svg(9))
    numbers = [int(text.text) for text in picture.find(f"{SVG}g").findall(f"{SVG}text")]
    assert numbers == [open_distance(across, up) for up in range(9) for across in range(9)]


def test_the_picture_in_the_docs_is_the_one_the_code_draws(request):
    assert (request.config.rootpath / "docs/pictures/knights.svg").read_text("utf-8") == cases_svg()
