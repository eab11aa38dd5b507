"""Charts as SVG: stairs, lines, bars. Pure: values in, one element out; charts.css has the colours.

Every chart has a text description, and the page has a table with the same numbers beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from math import floor, log10

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

# In units of the viewBox: the chart, and the plot area between its axes.
WIDTH, BELOW = 600, 48
LEFT, RIGHT, TOP, BOTTOM = 72, 584, 34, 222
FRONT_MORE = 150  # further height of the chart of a front


@dataclass(frozen=True)
class Dot:
    """A point: its position, text and link."""

    x: float
    y: float
    title: str
    url: str = ""
    is_own: bool = False
    is_apart: bool = False  # not connected to the dot before it
    label: str = ""


@dataclass(frozen=True)
class Bar:
    """A bar: its label below the axis, height, text and link."""

    label: str
    value: int
    title: str
    url: str = ""


@dataclass(frozen=True)
class Mark:
    """A tick on an axis."""

    value: float
    label: str


@dataclass(frozen=True)
class Band:
    """Name of the values from *least* up to *most*; *kind* is the CSS class with its colour."""

    least: float
    most: float
    name: str
    kind: str


@dataclass(frozen=True)
class Scale:
    """Map values from *least* to *most* linearly to *first* to *last*; if all are equal, map them to *first*."""

    least: float
    most: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        span = self.most - self.least
        share = (value - self.least) / span if span > 0 else 0.0
        return round(self.first + (self.last - self.first) * min(1.0, max(0.0, share)), 1)


def ticks(least: float, most: float, count: int = 4) -> list[float]:
    """Return about *count* round numbers between *least* and *most*: 1, 2 or 5 times a power of ten apart.

    >>> ticks(0, 10), ticks(97, 103), ticks(7, 7)
    ([0, 5, 10], [98, 100, 102], [7])
    """
    if most <= least:
        return [least]
    rough = max((most - least) / count, 1e-9)
    power = 10 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    if step >= 1:
        step = int(step)
    first = int(least // step) + (least % step > 0)
    return [place * step for place in range(first, int(most // step) + 1)] or [least]


def numbers(values: Sequence[float], count: int = 4) -> list[Mark]:
    """Return ticks for an axis of whole numbers: round numbers, without fractions.

    >>> [mark.label for mark in numbers([0, 3]) + numbers([100_000, 350_000])]
    ['0', '1', '2', '3', '100k', '200k', '300k']
    """
    whole_numbers = [value for value in ticks(min(values), max(values), count) if value % 1 == 0]
    return [Mark(value, _write_number(value)) for value in whole_numbers or [min(values)]]


def ends(values: Sequence[float]) -> list[Mark]:
    """Return ticks at both ends, which readers look for, and at round numbers well between them.

    >>> [mark.label for mark in ends([301, 320, 412])]
    ['301', '350', '412']
    """
    least, most = min(values), max(values)
    clear = (most - least) * 0.15
    inner = [mark for mark in numbers(values) if least + clear < mark.value < most - clear]
    return [
        Mark(value, _write_number(value)) for value in dict.fromkeys([least, *(mark.value for mark in inner), most])
    ]


def _write_number(value: float) -> str:
    return f"{value:g}" if value < 100_000 else f"{value / 1000:.7g}k"


def days(moments: Sequence[float], zone: tzinfo, most: int = 5) -> list[Mark]:
    """Return ticks for a time axis: some of the midnights between the first and last time, else the first day."""
    first, last = (datetime.fromtimestamp(moment, UTC).astimezone(zone) for moment in (min(moments), max(moments)))
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    count = int((last.timestamp() - midnight) // 86_400)
    step = max(1, -(-count // most))
    marks = [midnight + 86_400 * day for day in range(1, count + 1, step)] or [first.timestamp()]
    return [Mark(at, datetime.fromtimestamp(at, UTC).astimezone(zone).strftime("%m-%d")) for at in marks]


def draw_stair(
    dots: Sequence[Dot],
    *,
    name: str,
    upwards: str,
    across: str = "",
    marks: Sequence[Mark] | None = None,
    behind: Sequence[Dot] = (),
    is_front: bool = False,
) -> SafeString:
    """Return a step chart of the dots, from left to right: each value holds until the next.

    Dots *behind* are grey, the reader's square. The chart of a front is taller, with diamonds and a line from the top.
    """
    bottom = BOTTOM + FRONT_MORE if is_front else BOTTOM
    dots = sorted(dots, key=lambda dot: dot.x)
    xs = [dot.x for dot in (*dots, *behind)]
    ys = [dot.y for dot in (*dots, *behind)]
    x = Scale(min(xs), max(xs), LEFT + 12, RIGHT - 12)
    y = Scale(min(ys), max(ys), bottom - 12, TOP + 12)
    places = [(x(dot.x), y(dot.y)) for dot in dots]
    steps = "".join(f"H{left}V{top}" for left, top in places[1:])
    line = f"M{places[0][0]} {f'{TOP}V' * is_front}{places[0][1]}{steps}H{RIGHT}"
    return _picture(
        "stair",
        name,
        _across_marks(ends(xs) if marks is None else marks, x, bottom),
        _upwards_marks(ends(ys), y),
        _grey(behind, x, y),
        format_html('<path class="line" d="{}"/>', line),
        _marks_of(dots, places, is_front=is_front),
        _labels([*dots, *behind], x, y),
        _names(across, upwards, bottom),
        bottom=bottom,
    )


def _labels(dots: Sequence[Dot], x: Scale, y: Scale) -> SafeString:
    """Write the labels of dots above them, towards the middle of the chart."""
    return format_html_join(
        "",
        '<text class="label{}" x="{}" y="{}" text-anchor="{}">{}</text>',
        (
            (" own" * dot.is_own, x(dot.x), y(dot.y) - 13, "start" if x(dot.x) < WIDTH / 2 else "end", dot.label)
            for dot in dots
            if dot.label
        ),
    )


def _grey(dots: Sequence[Dot], x: Scale, y: Scale) -> SafeString:
    others = "".join(f"M{x(dot.x)} {y(dot.y)}h0" for dot in dots if not dot.is_own)
    own = "".join(f"M{x(dot.x)} {y(dot.y)}h0" for dot in dots if dot.is_own)
    return format_html('<path class="behind" d="{}"/><path class="mine" d="{}"/>', others, own)


def draw_line(
    dots: Sequence[Dot],
    *more: Sequence[Dot],
    name: str,
    upwards: str,
    across: str = "",
    marks: Sequence[Mark] = (),
    best_is_least: bool = False,
    ground: float | None = None,
    bands: Sequence[Band] = (),
    room: float = 0,
) -> SafeString:
    """Return a line chart of the dots, with gaps at dots apart; *best_is_least* puts small values (ranks) on top.

    *more* are further lines in the same chart; the second is dashed. *bands* lie behind them, and *room* extends the
    vertical axis above and below the values.
    """
    xs = [dot.x for course in (dots, *more) for dot in course]
    ys = [dot.y for course in (dots, *more) for dot in course]
    least = min(ys) if ground is None else min(*ys, ground)
    x = Scale(min(xs), max(xs), LEFT + 12, RIGHT - 12)
    ends_ = (TOP + 12, BOTTOM - 12) if best_is_least else (BOTTOM - 12, TOP + 12)
    y = Scale(least - room, max(ys) + room, *ends_)
    return _picture(
        "course",
        name,
        _bands(bands, y),
        _across_marks(marks, x),
        _upwards_marks(ends(ys) if best_is_least else numbers([least, *ys]), y),
        *(_course(course, x, y, kind) for course, kind in zip((dots, *more), _KINDS, strict=False)),
        _names(across, upwards),
    )


_KINDS = ("one", "other")


def _bands(bands: Sequence[Band], y: Scale) -> SafeString:
    """Draw the bands within the chart, with their names if there is room for a line of text."""
    parts = []
    for band in bands:
        top, height = y(band.most), round(y(band.least) - y(band.most), 1)
        if height > 0:
            name = format_html('<text x="{}" y="{}">{}</text>', LEFT + 8, top + 18, band.name) if height > 24 else ""
            shape = (band.kind, LEFT, top, RIGHT - LEFT, height, name)
            parts.append(format_html('<rect class="band {}" x="{}" y="{}" width="{}" height="{}"/>{}', *shape))
    return format_html_join("", "{}", ((part,) for part in parts))


def _course(dots: Sequence[Dot], x: Scale, y: Scale, kind: str) -> SafeString:
    places = [(x(dot.x), y(dot.y)) for dot in dots]
    stretches: list[list[str]] = []
    for dot, (left, top) in zip(dots, places, strict=True):
        if dot.is_apart or not stretches:
            stretches.append([])
        stretches[-1].append(f"{left},{top}")
    lines = format_html_join(
        "", '<polyline class="line" points="{}"/>', ((" ".join(stretch),) for stretch in stretches)
    )
    return format_html('<g class="{}">{}{}</g>', kind, lines, _marks_of(dots, places))


def draw_bars(
    chart_bars: Sequence[Bar], *, name: str, upwards: str, across: str = "", most_labels: int = 6
) -> SafeString:
    """Return a bar chart from zero; if there are many labels, only every n-th is written."""
    most = max((bar.value for bar in chart_bars), default=0)
    y = Scale(0, max(most, 1), BOTTOM, TOP + 6)
    room = (RIGHT - LEFT) / max(len(chart_bars), 1)
    width = round(max(1.0, min(room * 0.78, 64)), 1)
    every = max(1, -(-len(chart_bars) // most_labels))
    middles = [round(LEFT + room * (place + 0.5), 1) for place in range(len(chart_bars))]
    shapes = [
        format_html(
            '<rect x="{}" y="{}" width="{}" height="{}" rx="1.5"><title>{}</title></rect>',
            round(middle - width / 2, 1),
            y(bar.value),
            width,
            round(BOTTOM - y(bar.value), 1),
            bar.title,
        )
        for bar, middle in zip(chart_bars, middles, strict=True)
    ]
    labels = format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="middle">{}</text>',
        (
            (middle, BOTTOM + 20, bar.label)
            for place, (bar, middle) in enumerate(zip(chart_bars, middles, strict=True))
            if place % every == 0
        ),
    )
    return _picture(
        "bars",
        name,
        labels,
        _upwards_marks(numbers([0, most]), y),
        format_html_join("", "{}", ((_link(bar.url, shape),) for bar, shape in zip(chart_bars, shapes, strict=True))),
        _names(across, upwards),
    )


def draw_share(value: float, most: float) -> SafeString:
    """Return a horizontal bar for a table cell that also has the number."""
    width = Scale(0, most, 0, 100)(value) if most > 0 else 0
    return format_html(
        '<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{}" height="10"/></svg>',
        width,
    )


def _picture(kind: str, name: str, *parts: SafeString, bottom: int = BOTTOM) -> SafeString:
    return format_html(
        '<svg class="chart {}" viewBox="0 0 {} {}" role="{}" aria-label="{}"><title>{}</title>'
        '<path class="axis" d="M{} {}V{}H{}"/>{}</svg>',
        kind, WIDTH, bottom + BELOW,
        # Elements of role="img" are not focusable, and links must be.
        "group" if any("<a href" in part for part in parts) else "img",
        name, name, LEFT, TOP, bottom, RIGHT,
        format_html_join("", "{}", ((part,) for part in parts)),
    )  # fmt: skip


def _marks_of(dots: Sequence[Dot], places: Sequence[tuple[float, float]], *, is_front: bool = False) -> SafeString:
    """Draw a circle at each place, or a diamond on a front, with the dot's title and link."""
    marks = []
    for dot, (x, y) in zip(dots, places, strict=True):
        own = SafeString(' data-own=""' * dot.is_own)
        if is_front:
            corners = f"M{x - 8} {y}L{x} {y - 8}L{x + 8} {y}L{x} {y + 8}z"
            mark = format_html('<path class="front" d="{}"{}><title>{}</title></path>', corners, own, dot.title)
        else:
            mark = format_html('<circle cx="{}" cy="{}" r="6"{}><title>{}</title></circle>', x, y, own, dot.title)
        marks.append((dot.url, mark))
    return format_html_join("", "{}", ((_link(url, mark),) for url, mark in marks))


def _link(url: str, shape: SafeString) -> SafeString:
    return format_html('<a href="{}">{}</a>', url, shape) if url else shape


def _upwards_marks(marks: Sequence[Mark], y: Scale) -> SafeString:
    return format_html_join(
        "",
        '<path class="grid" d="M{} {}H{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
        ((LEFT, y(mark.value), RIGHT, LEFT - 8, y(mark.value) + 5, mark.label) for mark in marks),
    )


def _across_marks(marks: Sequence[Mark], x: Scale, bottom: int = BOTTOM) -> SafeString:
    return format_html_join(
        "",
        '<path class="grid" d="M{} {}V{}"/><text x="{}" y="{}" text-anchor="middle">{}</text>',
        ((x(mark.value), bottom, bottom + 5, x(mark.value), bottom + 22, mark.label) for mark in marks),
    )


def _names(across: str, upwards: str, bottom: int = BOTTOM) -> SafeString:
    """Label the axes: the vertical one above it, the horizontal one below its end."""
    return format_html(
        '<text class="unit" x="{}" y="{}" text-anchor="end">{}</text><text class="unit" x="0" y="18">{}</text>',
        RIGHT, bottom + BELOW - 4, across, upwards,
    )  # fmt: skip
