import re
from math import inf
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from contest.models import Placing, Round
from contest.rendering import charts
from contest.rendering.charts import Band, Bar, Dot
from contest.stats.totals import RoundResult
from contest.templatetags.charts import places_plot

COUNTS = st.integers(0, 10**9)
WORDS = st.text("a <>&\"'{}%汉🙂", max_size=6)
DOTS = st.lists(st.builds(Dot, COUNTS, COUNTS, WORDS, st.sampled_from(["", "/p/"])), min_size=1, max_size=40)
BARS = st.lists(st.builds(Bar, WORDS, COUNTS, WORDS), max_size=140)


def numbers_in(picture):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", picture)]


def places(picture):
    """Return every x and y position in the picture, except those of text."""
    root = ElementTree.fromstring(picture)
    width, height = numbers_in(root.get("viewBox"))[2:]
    for element in root.iter():
        for name, limit in (("cx", width), ("x", width), ("cy", height), ("y", height)):
            if name in element.attrib:
                yield float(element.attrib[name]), limit
        if "points" in element.attrib:
            yield from ((float(x), charts.WIDTH) for x in re.findall(r"([-\d.]+),", element.attrib["points"]))
        yield from ((number, charts.WIDTH) for number in numbers_in(element.attrib.get("d", "")))


def draw_all(dots, bars):
    yield charts.draw_stair(dots, name="n", upwards="u", across="a")
    yield charts.draw_line(dots, name="n", upwards="u", best_is_least=True)
    yield charts.draw_line(dots, dots[:3], name="n", upwards="u", ground=0)
    yield charts.draw_bars(bars, name="n", upwards="u")
    bands = [Band(0, 800, "a<&", "r1"), Band(800, inf, "b", "r2")]
    yield charts.draw_stair(dots[:2], name="n", upwards="u", behind=dots, is_front=True)
    yield charts.draw_line(dots, name="n", upwards="u", bands=bands)


def test_the_line_of_a_players_places_breaks_at_rounds_without_one():
    places = {1: 3, 2: 1, 3: 2, 4: None, 5: 2, 6: 1, 8: 4}
    placings = [Placing(round=Round(number=number), place=place) for number, place in reversed(places.items())]
    picture = places_plot([RoundResult(placing, []) for placing in placings])
    assert [line.count(",") for line in re.findall(r'points="([^"]*)"', picture)] == [3, 2, 1]


@given(dots=DOTS, bars=BARS)
def test_every_chart_lies_in_its_frame_has_a_description_and_escapes_names(dots, bars):
    for picture in draw_all(dots, bars):
        assert "nan" not in re.sub(r"<t(itle|ext).*?</t\1>", "", picture).lower()
        assert all(0 <= place <= limit for place, limit in places(picture))
        root = ElementTree.fromstring(picture)  # fails on a stray < or &
        assert (root.get("aria-label"), root[0].tag, root[0].text) == ("n", "title", "n")
        assert root.get("role") == ("group" if root.find(".//a") is not None else "img")
