"""Labels and numbers of solver searches."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from contest.models import Metric
from contest.vetting.coaching import CostLine, Habit
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


@register.filter
def cost_words(line: CostLine, seconds: int) -> str:
    """Say what a solution loses by one count, and what is proved about it."""
    return _join(_lost_words(line, seconds), _proved_words(line))


@register.filter
def habit_words(habit: Habit) -> str:
    """Say where a player loses most moves."""
    if habit.walking > habit.pushing:
        most = _("Most moves lost by walking round: %(part)s of %(lost)s.")
        return most % {"part": habit.walking, "lost": habit.lost}
    if habit.pushing > habit.walking:
        most = _("Most moves lost by the order of pushes: %(part)s of %(lost)s.")
        return most % {"part": habit.pushing, "lost": habit.lost}
    return _("Moves lost: half by walking round, half by the order of pushes.") if habit.lost else _("No move lost.")


def _join(first: str, second: str) -> str:
    both = pgettext("two sentences", "%(first)s %(second)s") % {"first": first, "second": second}
    return both if first and second else first or second


def _lost_words(line: CostLine, seconds: int) -> str:
    if not line.lost:
        return "" if line.is_optimal else _("Nothing lost was found in %(seconds)s CPU seconds.") % {"seconds": seconds}
    if line.metric == Metric.MOVES:
        lost = ngettext("%(lost)s move lost.", "%(lost)s moves lost.", line.lost) % {"lost": line.lost}
    else:
        lost = ngettext("%(lost)s push lost.", "%(lost)s pushes lost.", line.lost) % {"lost": line.lost}
    if not line.lost_by_walking:
        return lost
    if not line.lost_by_pushing:
        return _join(lost, _("All by walking round."))
    parts = {"walking": line.lost_by_walking, "pushing": line.lost_by_pushing}
    return _join(lost, _("Walking round: %(walking)s; pushing in another way: %(pushing)s.") % parts)


def _proved_words(line: CostLine) -> str:
    if line.is_optimal and line.metric == Metric.MOVES:
        return _("No solution has fewer moves: proved.")
    if line.is_optimal:
        return _("No solution has fewer pushes: proved.")
    if line.is_best_optimal:
        return _("More cannot be saved: proved.")
    return _("At most %(most)s can be saved: proved.") % {"most": line.most_saved} if line.most_saved else ""


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
