"""Charts of the number of layouts by distance, one curve per class of horizontals, as SVG.

In some classes nearly all distances to a mirror image are even, in others odd, so a curve of the raw counts would be
jagged. Each point is therefore the mean of two neighbouring counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from solvers.klotski.records.distributions import Measure, counts

WIDTH, HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 42, 40
_COLOURS = ("#6b2412", "#b5341b", "#c98a1b", "#4f7d2c", "#1d5a9e", "#6a3d9a")
# Curves are distinguished by their dashes too, not only by colour.
_DASHES = ("", "8 3", "2 3", "10 3 2 3", "5 3", "1 2")


@dataclass(frozen=True)
class ChartTexts:
    """Texts of a chart; *curve* is formatted with the number of horizontals."""

    title: str
    across: str = "moves"
    upwards: str = "layouts (mean of two neighbours)"
    curve: str = "{} horiz."


ENGLISH = {
    Measure.CLASSIC: ChartTexts("Moves to the exit"),
    Measure.MIRROR: ChartTexts("Moves to the left-right mirror image"),
    Measure.UPSIDE_DOWN: ChartTexts("Moves to the upside-down image"),
    Measure.ROTATED: ChartTexts("Moves to the rotated image"),
    Measure.ECCENTRICITY: ChartTexts("Moves to the farthest layout (eccentricity)"),
}
CHINESE = {
    Measure.CLASSIC: ChartTexts("到出口的最少移动数", "移动数", "局面数（相邻两数的平均）", "{} 横"),
    Measure.MIRROR: ChartTexts("到镜影的最少移动数", "移动数", "局面数（相邻两数的平均）", "{} 横"),
    Measure.UPSIDE_DOWN: ChartTexts("到倒影的最少移动数", "移动数", "局面数（相邻两数的平均）", "{} 横"),
    Measure.ROTATED: ChartTexts("到反影的最少移动数", "移动数", "局面数（相邻两数的平均）", "{} 横"),
    Measure.ECCENTRICITY: ChartTexts(
        "到最远局面的移动数（最长最短路径）", "移动数", "局面数（相邻两数的平均）", "{} 横"
    ),
}


def chart(
    measure: Measure, *, texts: ChartTexts | None = None, classes: Sequence[int] = range(6), alone: bool = False
) -> str:
    """Draw the chart of a measure as an SVG element for a page or, if *alone*, as a standalone file with colours.

    A page styles the classes curve and h0 to h5, axis, grid and label; text takes the page's colour. The counts come
    from `distributions.counts`, which a page can also show as a table.

    >>> chart(Measure.CLASSIC)[:80]
    '<svg class="chart" xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 64'
    """
    texts = texts or ENGLISH[measure]
    curves = {horizontals: counts()[measure.value][horizontals] for horizontals in classes}
    means = {horizontals: _means(curve) for horizontals, curve in curves.items() if curve}
    farthest = max((len(curve) for curve in means.values()), default=2) - 1
    most = max((max(curve) for curve in means.values()), default=1)
    size = f' width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif"' if alone else ""
    return "".join([
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {HEIGHT}"{size}',
        ' font-size="12" fill="currentColor">',
        f"<title>{escape(texts.title)}</title>",
        f'<path d="M0 0h{WIDTH}v{HEIGHT}H0z" fill="#fffdf9"/>' if alone else "",
        _axes(farthest, most, texts),
        *(_curve(horizontals, curve, farthest, most) for horizontals, curve in means.items()),
        _legend(list(means), texts),
        "</svg>",
    ])  # fmt: skip


def _means(counts: list[int]) -> list[float]:
    """Return the means of neighbouring counts, one more than the counts: point n lies between n - 1 and n moves.

    >>> _means([4, 0, 2])
    [2.0, 2.0, 1.0, 1.0]
    """
    return [(before + after) / 2 for before, after in zip([0, *counts], [*counts, 0], strict=True)]


def _x(moves: float, farthest: int) -> float:
    return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * moves / farthest, 1)


def _y(count: float, most: float) -> float:
    return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * count / most, 1)


def _curve(horizontals: int, means: list[float], farthest: int, most: float) -> str:
    points = " ".join(f"{_x(max(0, at - 0.5), farthest):g},{_y(mean, most):g}" for at, mean in enumerate(means))
    return f'<polyline class="curve h{horizontals}" fill="none"{_pen(horizontals)} points="{points}"/>'


def _pen(horizontals: int) -> str:
    dashes = f' stroke-dasharray="{_DASHES[horizontals]}"' if _DASHES[horizontals] else ""
    return f' stroke="{_COLOURS[horizontals]}" stroke-width="1.6"{dashes}'


def _axes(farthest: int, most: float, texts: ChartTexts) -> str:
    bottom, right = HEIGHT - _BOTTOM, WIDTH - _RIGHT
    parts = [f'<path class="axis" fill="none" stroke="currentColor" d="M{_LEFT} {_TOP}V{bottom}H{right}"/>']
    for count in _marks(most):
        y = _y(count, most)
        parts.append(f'<path class="grid" stroke="currentColor" stroke-opacity=".15" d="M{_LEFT} {y:g}H{right}"/>')
        parts.append(f'<text class="label" x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end">{count:,}</text>')
    for moves in _marks(farthest):
        x = _x(moves, farthest)
        parts.append(f'<text class="label" x="{x:g}" y="{bottom + 16}" text-anchor="middle">{moves}</text>')
    parts.append(f'<text class="label" x="{right}" y="{HEIGHT - 6}" text-anchor="end">{escape(texts.across)}</text>')
    parts.append(f'<text class="label" x="4" y="14">{escape(texts.upwards)}</text>')
    return "".join(parts)


def _marks(most: float) -> range:
    """Return four to ten round numbers from 0 to at most *most*.

    >>> list(_marks(138))
    [0, 20, 40, 60, 80, 100, 120]
    """
    step = next(step for power in range(9) for unit in (1, 2, 5) if (step := unit * 10**power) * 9 >= most)
    return range(0, int(most) + 1, step)


def _legend(classes: list[int], texts: ChartTexts) -> str:
    parts = []
    for at, horizontals in enumerate(classes):
        x = _LEFT + 8 + at * (WIDTH - _LEFT - _RIGHT - 8) // 6
        parts.append(f'<path class="curve h{horizontals}"{_pen(horizontals)} d="M{x} 28h18"/>')
        parts.append(f'<text class="label" x="{x + 22}" y="32">{escape(texts.curve.format(horizontals))}</text>')
    return "".join(parts)
