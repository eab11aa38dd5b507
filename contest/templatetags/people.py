"""Players, points and ratings for the pages."""

from functools import cache
from pathlib import Path

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext

from contest.models import Metric, Placing, Player, Round
from contest.rankings import rating_levels
from contest.results import Score
from contest.rules import scoring
from contest.stats.profiles import Profile
from contest.stats.totals import RoundResult

register = template.Library()


@register.simple_tag
def player_link(player: Player) -> SafeString:
    """Render the player's name as a link to their page; for an erased player only a placeholder (rule 15.6).

    A rated player's name has the colour of the rating level; a box before it fills up with the rating in that level.
    """
    number = shown_rating(player)
    if number is None:
        return format_html('<a class="who" href="{}">{}</a>', player.get_absolute_url(), player_name(player))
    level = rating_levels.level(number)
    return format_html(
        '<a class="who r{}" href="{}" title="{} · {}">{}{}</a>',
        level.number,
        player.get_absolute_url(),
        number,
        level.name,
        _box(level.number, round(_STEPS * rating_levels.height(number))),
        player_name(player),
    )


@register.filter
def shown_rating(player: Player) -> int | None:
    """Return the player's displayed rating; None if unrated or erased."""
    return None if player.erased_at else player.shown_rating


_STEPS = 4


@cache
def _box(number: int, steps: int) -> SafeString:
    """Draw the box of a rating level: a frame if empty, a square if full, with a gem in the last level."""
    hole = f"M1.6 1.6v{8.8 - 2.2 * steps:g}h8.8v-{8.8 - 2.2 * steps:g}z" if steps < _STEPS else ""
    gem = "M6 2.4l3.6 3.6L6 9.6 2.4 6z" if number == len(rating_levels.LEVELS) else ""
    shape = f'<path fill="currentColor" fill-rule="evenodd" d="M0 0h12v12H0z{hole}{gem}"/>'
    return mark_safe(f'<svg viewBox="0 0 12 12" aria-hidden="true">{shape}</svg>')  # noqa: S308 - numbers alone


@register.simple_tag
def seal(player: Player, kind: str = "") -> SafeString:
    """Draw the player's seal: the name's first letter in the rating's colour; *kind* is "framed", "large" or both."""
    number = shown_rating(player)
    colour = f" r{rating_levels.level(number).number}" if number is not None else ""
    letter = player_name(player)[:1].upper()
    return format_html('<span class="seal {}{}" aria-hidden="true">{}</span>', kind, colour, letter)


@register.filter
def rating_level(number: int) -> str:
    """Return the name of a rating's level."""
    return str(rating_levels.level(number).name)


@register.filter
def level_number(number: int) -> int:
    return rating_levels.level(number).number


@register.simple_tag
def of_rounds(player: Player, count: object) -> SafeString:
    """Render a *count* of final rounds as a link to their list on the player's page; no link if it is 0."""
    if str(count) == "0":
        return format_html("{}", count)
    return format_html('<a href="{}#rounds">{}</a>', player.get_absolute_url(), count)


@register.filter
def player_name(player: Player) -> str:
    return str(player)


FLAGS = "contest/vendor/circle-flags-2.8.3"


@register.simple_tag
def country(player: Player) -> SafeString:
    """Render the player's flag and country name; the flag is only decoration (rule 4.6)."""
    name = player.country_name
    return format_html(' <small class="country">{}{}</small>', flag(player.country), name) if name else SafeString("")


@register.simple_tag
def country_flag(player: Player) -> SafeString:
    """Render only the flag, with the country as `alt` text, where there is no room for the name."""
    if not flag(player.country):
        return SafeString("")
    picture = static(f"{FLAGS}/{player.country.lower()}.svg")
    name = player.country_name
    return format_html(' <img class="flag" src="{}" width="20" height="20" alt="{}" loading="lazy">', picture, name)


@register.filter
def seal_of_place(place: int) -> str:
    """Return the seal's kind: full for the first place, framed for the others."""
    return "" if place == 1 else "framed"


@register.filter
def championships(placing: Placing) -> str:
    """Return the metrics in which a player is champion of a round."""
    titles = {"is_mmc": pgettext("champion of", "moves"), "is_mpc": pgettext("champion of", "pushes")}
    return ", ".join(word for name, word in titles.items() if getattr(placing, name))


@register.simple_tag
def count_of(score: Score, round_: Round) -> SafeString:
    """Render a cell with a ranked count, linked to its replay if public; mark the best count."""
    first = " parted" if score.metric == Metric.MOVES else ""
    if score.rank is None:
        return format_html(
            '<td class="number count by-{}{}" data-level="{}">–</td>', score.metric, first, score.slot_name
        )
    best = " top-of" if score.rank == 1 else ""
    count: object = getattr(score, score.metric)
    if score.replay:
        address = reverse("replay", args=[round_.number, score.replay])
        count = format_html('<a href="{}">{}</a>', address, count)
    cell = '<td class="number count by-{}{}{}" data-level="{}" title="#{}">{}</td>'
    return format_html(cell, score.metric, first, best, score.slot_name, score.rank, count)


@register.simple_tag
def flag(code: str) -> SafeString:
    """Render a flag for use beside the country's name; "" if there is none."""
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
    """Format half points."""
    return scoring.half_points(half_points)


@register.simple_tag
def next_level(player: Player) -> str:
    """Render the next rating level and its minimum; "" without a rating or at the last level."""
    number = shown_rating(player)
    following = rating_levels.above(number) if number is not None else None
    if following is None:
        return ""
    text = gettext("next: %(level)s at %(rating)s") % {"level": following.name, "rating": following.least}
    return format_html("<small>{}</small>", text)


@register.simple_tag
def rating_change(profile: Profile, entered: RoundResult | None = None) -> SafeString:
    """Render the rating change of a round, by default the latest; "" if no rating was shown yet."""
    changes = profile.changes
    key = entered.placing.round_id if entered else next(reversed(changes), None)
    return change(changes[key]) if key in changes else SafeString("")


@register.simple_tag
def change(by: int) -> SafeString:
    """Render a signed change with an arrow, which is empty for 0.

    >>> change(2), change(0)
    ('<span class="arrow up">+2</span>', '<span class="arrow ">+0</span>')
    """
    kind = "up" if by > 0 else "down" if by < 0 else ""
    return format_html('<span class="arrow {}">{}</span>', kind, f"{by:+d}".replace("-", "−"))
