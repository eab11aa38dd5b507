"""Charts as pure functions: for any numbers, a complete picture within its frame."""

import re
from datetime import UTC, datetime
from math import inf
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.rendering import charts
from contest.rendering.charts import Band, Bar, Dot, Scale

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


@given(dots=DOTS, bars=BARS)
def test_nothing_is_drawn_outside_the_chart(dots, bars):
    for picture in draw_all(dots, bars):
        assert "nan" not in re.sub(r"<t(itle|ext).*?</t\1>", "", picture).lower()
        assert all(0 <= place <= limit for place, limit in places(picture))


@given(dots=DOTS, bars=BARS)
def test_every_chart_has_a_description_and_escapes_names(dots, bars):
    for picture in draw_all(dots, bars):
        root = ElementTree.fromstring(picture)  # fails on a stray < or &
        assert (root.get("aria-label"), root[0].tag, root[0].text) == ("n", "title", "n")
        assert root.get("role") == ("group" if root.find(".//a") is not None else "img")


@given(st.lists(COUNTS, min_size=2, max_size=30, unique=True))
def test_a_stair_of_bests_only_descends(counts):
    """Rule 8.9."""
    falling = sorted(counts, reverse=True)
    picture = charts.draw_stair([Dot(at, count, "") for at, count in enumerate(falling)], name="n", upwards="u")
    tops = [float(top) for top in re.findall(r"V([-\d.]+)", re.search(r'class="line" d="([^"]*)"', picture)[1])]
    assert tops == sorted(tops)  # in a picture, down is a larger number


@given(st.lists(COUNTS, min_size=1, max_size=40))
def test_bars_are_as_high_as_their_values(values):
    picture = charts.draw_bars([Bar("", value, "") for value in values], name="n", upwards="u")
    heights = [float(height) for height in re.findall(r'height="([-\d.]+)"', picture)]
    highest = charts.BOTTOM - charts.TOP - 6
    for value, height in zip(values, heights, strict=True):
        assert height == pytest.approx(highest * value / max(1, *values), abs=0.2)


@given(st.floats(0, 1e9), st.floats(0, 1e9), st.integers(1, 9))
def test_ticks_lie_between_their_ends_in_order(one, other, count):
    least, most = sorted((one, other))
    ticks = charts.ticks(least, most, count)
    assert ticks == sorted(set(ticks))
    assert len(ticks) <= count + 2
    assert all(least - 1e-6 <= tick <= most + 1e-6 for tick in ticks)


@pytest.mark.parametrize(
    ("least", "most", "count", "expected"),
    [
        (0, 10, 4, [0, 5, 10]),
        (0, 3, 4, [0, 1, 2, 3]),
        (98, 102, 4, [98, 99, 100, 101, 102]),
        (1, 1000, 4, [500, 1000]),
        (7, 7, 4, [7]),
    ],
)
def test_ticks_are_round_numbers(least, most, count, expected):
    assert charts.ticks(least, most, count) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(0, 10), (5, 60), (10, 110), (-3, 10), (99, 110)], ids=["least", "half", "most", "-", "+"]
)
def test_a_scale_keeps_everything_between_its_ends(value, expected):
    assert Scale(0, 10, 10, 110)(value) == expected
    assert Scale(4, 4, 10, 110)(value) == 10, "equal values stand in the first place"


@pytest.mark.parametrize(("value", "most", "width"), [(0, 9, "0"), (3, 12, "25.0"), (9, 9, "100.0"), (0, 0, "0")])
def test_a_share_bar_is_as_long_as_its_share(value, most, width):
    assert float(re.search(r'rect width="([\d.]+)"', charts.draw_share(value, most))[1]) == float(width)


def test_days_begin_at_midnight_in_beijing():
    """Rule 3.5."""
    beijing = ZoneInfo("Asia/Shanghai")
    first, last = datetime(2026, 11, 1, 15, 30, tzinfo=UTC), datetime(2026, 11, 3, 16, 30, tzinfo=UTC)
    marks = charts.days([first.timestamp(), last.timestamp()], beijing)
    assert [mark.label for mark in marks] == ["11-02", "11-03", "11-04"]
    assert [mark.label for mark in charts.days([first.timestamp()], beijing)] == ["11-01"]
