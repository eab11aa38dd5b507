"""Players, points and ratings for the pages."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from contest import ratings, scoring
from contest.models import Player, Rating

register = template.Library()

# The rating line, in the units of its viewBox.
WIDTH, HEIGHT, MARGIN = 600, 160, 12


@register.simple_tag
def player_link(player: Player) -> SafeString:
    """The player's name, leading to their page; of an erased one only that there was somebody (rule 15.6)."""
    return format_html('<a href="{}">{}</a>', player.get_absolute_url(), player_name(player))


@register.filter
def player_name(player: Player) -> str:
    return str(player)


@register.filter
def points(half_points: int) -> str:
    """Half points as people write them."""
    return scoring.half_points(half_points)


@register.filter
def rating(rated: Rating) -> str:
    return ratings.shown(rated.mu, rated.sigma)


@register.filter
def certainty(rated: Rating) -> str:
    return ratings.certainty(rated.sigma)


@register.simple_tag
def rating_line(history: Sequence[Rating]) -> SafeString:
    """The rating after every round as an SVG line; the table below it is the alternative."""
    worths = [rated.mu - 3 * rated.sigma for rated in history]
    lowest, highest = min([0.0, *worths]), max([10.0, *worths])
    places = [(_across(place, len(worths)), _down(worth, lowest, highest)) for place, worth in enumerate(worths)]
    dots = format_html_join(
        "",
        '<a href="{}"><circle cx="{}" cy="{}" r="4"><title>{}</title></circle></a>',
        (
            (rated.round.get_absolute_url(), x, y, f"{rated.round}: {rating(rated)}")
            for rated, (x, y) in zip(history, places, strict=True)
        ),
    )
    return format_html(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}"><path class="axis" d="M0 {}H{}"/>'
        '<polyline points="{}"/>{}</svg>',
        WIDTH,
        HEIGHT,
        _("Rating after each round, from %(first)s to %(last)s")
        % {"first": rating(history[0]), "last": rating(history[-1])},
        _down(0, lowest, highest),
        WIDTH,
        " ".join(f"{x},{y}" for x, y in places),
        dots,
    )


def _across(place: int, count: int) -> float:
    return round(MARGIN + (WIDTH - 2 * MARGIN) * place / max(1, count - 1), 1)


def _down(worth: float, lowest: float, highest: float) -> float:
    return round(MARGIN + (HEIGHT - 2 * MARGIN) * (highest - worth) / (highest - lowest), 1)
