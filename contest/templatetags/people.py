"""Players, points and ratings for the pages."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from contest import ratings, scoring
from contest.models import Player, Rating

register = template.Library()


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
