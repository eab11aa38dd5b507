"""Replays for the pages: the final position as a picture, and counts linked to their replays."""

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import Level, Round
from solvers.sokoban.drawing import draw
from solvers.sokoban.position import Position

register = template.Library()


@register.simple_tag
def end_board(level: Level, position: Position) -> SafeString:
    """Draw the final position of a solution as an SVG element."""
    return mark_safe(draw.svg(level.board, title=_("At the end"), position=position))  # noqa: S308 - our own drawing


@register.simple_tag(takes_context=True)
def evidence(context: Context, round_: Round, number: int, count: int, *, is_hidden: bool = False) -> SafeString:
    """Render *count*, linked to its replay once replays are public (rule 7.3).

    A replay that *is_hidden* was withdrawn (rule 15.4) and gets no link.
    """
    if is_hidden or not _are_public(context, round_):
        return format_html("{}", count)
    return format_html('<a href="{}">{}</a>', reverse("replay", args=[round_.number, number]), count)


def _are_public(context: Context, round_: Round) -> bool:
    """Return whether the round's replays are public; cached per request, because tables have hundreds of rows."""
    known: dict[int, bool] = vars(context["request"]).setdefault("are_replays_public", {})
    if round_.pk not in known:
        known[round_.pk] = visibility.are_solutions_public(round_, context["server_time"])
    return known[round_.pk]
