"""Labels and numbers of solver searches."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from contest.vetting.coaching import CostLine
from contest.wording import searches
from solvers.sokoban.coaching.stretches import Stretch

register = template.Library()

_LEAST_WIDTH = 0.8  # percent of a cost line


@register.filter
def thousands(count: int) -> str:
    """Format a number with thousands separators."""
    return f"{count:,}"


@register.filter
def limit_words(limit: str) -> str:
    return str(searches.LIMIT_WORDS.get(limit, limit))


@register.filter
def proof_words(proof: str) -> str:
    return str(searches.PROOF_WORDS.get(proof, proof))


@register.filter
def part_words(part: str) -> str:
    return searches.describe_part(part)


@register.filter
def band_words(band: int) -> str:
    return str(searches.BAND_WORDS.get(band, ""))


@register.filter
def saved_words(stretch: Stretch) -> str:
    return searches.describe_saving(stretch.moves, stretch.pushes)


@register.simple_tag
def cost_marks(line: CostLine, moves: int) -> SafeString:
    """Draw the stretches of a cost line over *moves* as bars, higher where more is lost; pages list them too."""
    most = max((stretch.lost(line.metric) for stretch in line.stretches), default=(1, 0))[0] or 1
    bars = (
        (
            f"{100 * stretch.start / moves:.2f}%",
            f"{max(100 * (stretch.stop - stretch.start) / moves, _LEAST_WIDTH):.2f}%",
            f"{100 - _height(stretch.lost(line.metric)[0], most):.0f}%",
            f"{_height(stretch.lost(line.metric)[0], most):.0f}%",
            stretch.start,
        )
        for stretch in line.stretches
    )
    rects = format_html_join("", '<rect x="{}" width="{}" y="{}" height="{}" data-at="{}"/>', bars)
    return format_html('<svg class="cost" data-cost aria-hidden="true"><g>{}</g></svg>', rects)


def _height(lost: int, most: int) -> float:
    return 30 + 70 * max(lost, 0) / most
