"""Pictures of numbers as SVG elements; the style sheet has their colours, the table beside them is the alternative."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from contest.models import Metric, Submission
from contest.pareto import Point
from contest.standings import Needed

register = template.Library()

# In the units of the viewBox: the picture, and where its axes stand.
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, MARGIN = 600, 320, 84, 44, 52, 16


@dataclass(frozen=True)
class Dot:
    """A point of a stair: where it is, what it says, where it leads."""

    x: float
    y: float
    words: str
    url: str
    is_own: bool = False


@register.simple_tag
def front_plot(points: Sequence[Point], own: Collection[int]) -> SafeString:
    """The Pareto front: pushes to the right, moves upwards."""
    dots = [
        Dot(
            point.holder.pushes or 0,
            point.holder.moves or 0,
            _("%(moves)s moves, %(pushes)s pushes: %(name)s")
            % {
                "moves": point.holder.moves,
                "pushes": point.holder.pushes,
                "name": point.holder.player.nickname,
            },
            point.holder.player.get_absolute_url(),
            point.holder.player_id in own,
        )
        for point in points
    ]
    return _stair(dots, _("Pareto front: moves upwards, pushes to the right"), _("Pushes"), _("Moves"))


@register.simple_tag
def progress_plot(progress: Sequence[Submission], metric: str) -> SafeString:
    """How the best count came down: time to the right, the count upwards."""
    label = _("Moves") if metric == Metric.MOVES else _("Pushes")
    dots = [
        Dot(
            one.received_at.timestamp(),
            getattr(one, metric),
            f"{getattr(one, metric)}: {one.player.nickname}",
            one.player.get_absolute_url(),
        )
        for one in progress
    ]
    return _stair(dots, _("The best count over time"), "", label)


def _stair(dots: Sequence[Dot], name: str, across: str, upwards: str) -> SafeString:
    """Draw *dots*, from left to right, with a stair through them."""
    dots = sorted(dots, key=lambda dot: dot.x)
    columns = _scaled([dot.x for dot in dots], LEFT, WIDTH - 2 * MARGIN)
    rows = _scaled([dot.y for dot in dots], HEIGHT - BOTTOM - MARGIN, TOP)
    steps = "".join(f"H{x}V{y}" for x, y in zip(columns, rows, strict=True))
    circles = format_html_join(
        "",
        '<a href="{}"><circle cx="{}" cy="{}" r="6"{}><title>{}</title></circle></a>',
        (
            (dot.url, x, y, SafeString(' class="own"') if dot.is_own else "", dot.words)
            for dot, x, y in zip(dots, columns, rows, strict=True)
        ),
    )
    return format_html(
        '<svg class="chart stair" viewBox="0 0 {} {}" role="img" aria-label="{}"><path class="axis" d="M{} {}V{}H{}"/>'
        '<path class="line" d="M{} {}{}H{}"/>{}{}{}</svg>',
        WIDTH,
        HEIGHT,
        name,
        LEFT - MARGIN,
        TOP - MARGIN,
        HEIGHT - BOTTOM,
        WIDTH,
        columns[0],
        rows[0],
        steps,
        WIDTH,
        circles,
        _ends(dots, columns, rows, is_numbered=bool(across)),
        _names(across, upwards),
    )


def _scaled(values: Sequence[float], first: float, last: float) -> list[float]:
    """Spread *values* from *first* to *last*; a single one goes where the best stands."""
    least, span = min(values), max(values) - min(values)
    return [round(first + (last - first) * ((value - least) / span if span else 0), 1) for value in values]


def _ends(dots: Sequence[Dot], columns: Sequence[float], rows: Sequence[float], *, is_numbered: bool) -> SafeString:
    """The numbers at both ends of the axes."""
    upwards = {
        (LEFT - MARGIN - 6, y + 6, "end", dot.y) for dot, y in zip(dots, rows, strict=True) if y in _ends_of(rows)
    }
    across = {
        (x, HEIGHT - BOTTOM + 24, "middle", dot.x)
        for dot, x in zip(dots, columns, strict=True)
        if is_numbered and x in _ends_of(columns)
    }
    texts = sorted(upwards | across)
    return format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="{}">{}</text>',
        ((x, y, anchor, f"{value:g}" if value < 100_000 else f"{int(value)}") for x, y, anchor, value in texts),
    )


def _ends_of(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def _names(across: str, upwards: str) -> SafeString:
    return format_html(
        '<text x="{}" y="{}" text-anchor="end">{}</text><text x="{}" y="20">{}</text>',
        WIDTH,
        HEIGHT - 4,
        across,
        0,
        upwards,
    )


@register.simple_tag
def needed_words(needed: Needed, metric: Metric) -> str:
    """What gains a rank, by public numbers alone (rule 7.7)."""
    values = {"rank": needed.rank, "fewer": needed.fewer, "first": needed.first, "second": needed.second}
    # No solution has no push, or more pushes than moves.
    if needed.second < (1 if metric == Metric.MOVES else needed.first):
        words = _NEEDED[metric]
    else:
        words = _NEEDED_EITHER[metric]
    return str(words) % values


_NEEDED = {
    Metric.MOVES: gettext_lazy("For rank %(rank)s: %(fewer)s fewer moves."),
    Metric.PUSHES: gettext_lazy("For rank %(rank)s: %(fewer)s fewer pushes."),
}
_NEEDED_EITHER = {
    Metric.MOVES: gettext_lazy(
        "For rank %(rank)s: %(fewer)s fewer moves, or %(first)s moves with at most %(second)s pushes."
    ),
    Metric.PUSHES: gettext_lazy(
        "For rank %(rank)s: %(fewer)s fewer pushes, or %(first)s pushes with at most %(second)s moves."
    ),
}
_LEAGUES = {
    "human": pgettext_lazy("league", "people"),
    "bot": pgettext_lazy("league", "programs"),
    "all": pgettext_lazy("league", "all"),
}
_BOARDS = {
    "contest": pgettext_lazy("board", "Contest"),
    "spectator": gettext_lazy("Spectator answers"),
    "all_time": gettext_lazy("All time, with practice"),
}


@register.filter
def league_words(league: str) -> str:
    return str(_LEAGUES[league])


@register.filter
def board_words(board: str) -> str:
    return str(_BOARDS[board])
