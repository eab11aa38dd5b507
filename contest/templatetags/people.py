"""Players, points and ratings for the pages."""

from functools import cache
from pathlib import Path

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from contest.models import Player, Rating
from contest.rankings import ratings
from contest.rules import scoring

register = template.Library()


@register.simple_tag
def player_link(player: Player) -> SafeString:
    """The player's name, leading to their page; of an erased one only that there was somebody (rule 15.6)."""
    return format_html('<a href="{}">{}</a>', player.get_absolute_url(), player_name(player))


@register.simple_tag
def of_rounds(player: Player, count: object) -> SafeString:
    """A *count* of final rounds leading to the list of them on the player's page; none where there is none."""
    if str(count) == "0":
        return format_html("{}", count)
    return format_html('<a href="{}#rounds">{}</a>', player.get_absolute_url(), count)


@register.filter
def player_name(player: Player) -> str:
    return str(player)


FLAGS = "contest/vendor/circle-flags-2.8.3"


@register.simple_tag
def country(player: Player) -> SafeString:
    """The player's flag and country; the name says it all, the flag only helps to find it (rule 4.6)."""
    name = player.country_name
    return format_html(' <small class="country">{}{}</small>', flag(player.country), name) if name else SafeString("")


@register.simple_tag
def flag(code: str) -> SafeString:
    """The flag for beside a country's name; nothing where there is none."""
    if code.lower() not in _flags():
        return SafeString("")
    picture = static(f"{FLAGS}/{code.lower()}.svg")
    return format_html('<img class="flag" src="{}" width="20" height="20" alt="" loading="lazy">', picture)


@cache
def _flags() -> frozenset[str]:
    folder = Path(__file__).parent.parent / "static" / FLAGS
    return frozenset(path.stem for path in folder.glob("*.svg"))


@register.filter
def points(half_points: int) -> str:
    """Half points as people write them."""
    return scoring.half_points(half_points)


@register.filter
def rating(rated: Rating) -> str:
    return ratings.display(rated.mu, rated.sigma)


@register.filter
def certainty(rated: Rating) -> str:
    return ratings.certainty(rated.sigma)
