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
    """The player's name, leading to their page; of an erased one only that there was somebody (rule 15.6).

    A rated player's has the colour of the level, and before it a box as full as the player stands high in it.
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
    """What is shown of the player's rating: nothing of one who was erased."""
    return None if player.erased_at else player.shown_rating


_STEPS = 4


@cache
def _box(number: int, steps: int) -> SafeString:
    """An empty box is a frame, a full one a square; that of the last level holds a gem."""
    hole = f"M1.6 1.6v{8.8 - 2.2 * steps:g}h8.8v-{8.8 - 2.2 * steps:g}z" if steps < _STEPS else ""
    gem = "M6 2.4l3.6 3.6L6 9.6 2.4 6z" if number == len(rating_levels.LEVELS) else ""
    shape = f'<path fill="currentColor" fill-rule="evenodd" d="M0 0h12v12H0z{hole}{gem}"/>'
    return mark_safe(f'<svg viewBox="0 0 12 12" aria-hidden="true">{shape}</svg>')  # noqa: S308 - numbers alone


@register.simple_tag
def seal(player: Player, kind: str = "") -> SafeString:
    """The player's seal: the first letter of the name in the colour of the rating; *kind* "framed", "large" or both."""
    number = shown_rating(player)
    colour = f" r{rating_levels.level(number).number}" if number is not None else ""
    letter = player_name(player)[:1].upper()
    return format_html('<span class="seal {}{}" aria-hidden="true">{}</span>', kind, colour, letter)


@register.filter
def rating_level(number: int) -> str:
    """What a shown rating is called."""
    return str(rating_levels.level(number).name)


@register.filter
def level_number(number: int) -> int:
    return rating_levels.level(number).number


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
def country_flag(player: Player) -> SafeString:
    """The flag alone, named for who does not see it, where there is no room for the country's name."""
    if not flag(player.country):
        return SafeString("")
    picture = static(f"{FLAGS}/{player.country.lower()}.svg")
    name = player.country_name
    return format_html(' <img class="flag" src="{}" width="20" height="20" alt="{}" loading="lazy">', picture, name)


@register.filter
def seal_of_place(place: int) -> str:
    """The first has the full seal, the others a framed one."""
    return "" if place == 1 else "framed"


@register.filter
def championships(placing: Placing) -> str:
    """By what somebody is champion of a round."""
    words = {"is_mmc": pgettext("champion of", "moves"), "is_mpc": pgettext("champion of", "pushes")}
    return ", ".join(word for name, word in words.items() if getattr(placing, name))


@register.simple_tag
def count_of(score: Score, round_: Round) -> SafeString:
    """A cell with the count that holds a rank, leading to its replay; the best of all is marked."""
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


@register.simple_tag
def next_level(player: Player) -> str:
    """Which level comes next, and at which rating; nothing where there is none, or no rating yet."""
    number = shown_rating(player)
    following = rating_levels.above(number) if number is not None else None
    if following is None:
        return ""
    words = gettext("next: %(level)s at %(rating)s") % {"level": following.name, "rating": following.least}
    return format_html("<small>{}</small>", words)


@register.simple_tag
def rating_change(profile: Profile, entered: RoundResult | None = None) -> SafeString:
    """By how much a round, else the latest one, moved the rating; nothing where it was not shown yet."""
    changes = profile.changes
    key = entered.placing.round_id if entered else next(reversed(changes), None)
    return change(changes[key]) if key in changes else SafeString("")


@register.simple_tag
def change(by: int) -> SafeString:
    """By how much something rose or fell."""
    kind = "up" if by > 0 else "down" if by < 0 else ""
    return format_html('<span class="arrow {}">{}</span>', kind, f"{by:+d}".replace("-", "−"))
