"""Boards, times and labels for the pages."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from contest import visibility
from contest.infra import mail
from contest.library.own.deadlocks import Exercise
from contest.models import CollectedLevel, Level, Round, Slot, Submission
from contest.rendering.boards import drawing
from contest.rules.phases import Phase
from contest.wording import bilingual, times, verdicts
from solvers.sokoban import Level as Board
from solvers.sokoban.drawing import draw
from solvers.sokoban.formats import mf8
from solvers.sokoban.formats import xsb as xsb_format

register = template.Library()

PHASE_WORDS = {
    Phase.DRAFT: _("draft"),
    Phase.SCHEDULED: _("scheduled"),
    Phase.OPEN: pgettext_lazy("phase of a round", "open"),
    Phase.CLOSED: _("closed, provisional"),
    Phase.FINAL: pgettext_lazy("phase of a round", "final"),
    Phase.CANCELLED: _("cancelled"),
}


@register.simple_tag
def board(level: Level, *, ruler: bool = False) -> SafeString:
    """Draw the level as an SVG element, coloured by the style sheet."""
    title = str(level.get_slot_display())
    return mark_safe(_draw(level.text, f"{title}: {level.title}" if level.title else title, ruler=ruler))  # noqa: S308


@register.simple_tag
def level_board(level: CollectedLevel, *, ruler: bool = True) -> SafeString:
    """Draw a level of a collection as an SVG element."""
    return mark_safe(_draw(level.text, str(level), ruler=ruler))  # noqa: S308 - svg escapes the title


@lru_cache(maxsize=1024)
def _draw(text: str, title: str, *, ruler: bool) -> str:
    """Draw a board, cached: a list shows the same forty to all readers; each takes milliseconds and some kilobytes."""
    return draw.svg(Board.parse(text), title=title, ruler=ruler)


@register.simple_tag
def board_of(levels: Iterable[Level], slot: str) -> SafeString:
    """Draw the board of the level in *slot* beside its name; "" if there is none."""
    shown = next((level for level in levels if level.slot == slot), None)
    if shown is None:
        return SafeString("")
    # The name beside it says the same, so screen readers can skip the picture.
    return format_html('<span aria-hidden="true">{}</span>', mark_safe(_draw(shown.text, "", ruler=False)))  # noqa: S308


@register.simple_tag
def course(round_: Round, at: datetime) -> SafeString:
    """Draw the days of *round_* as bricks; past days are laid, today's has the seal's colour."""
    days = min(_MOST_BRICKS, -(-(round_.closes_at - round_.opens_at) // timedelta(days=1)))
    passed = min(days, max(0, int(days * ((at - round_.opens_at) / (round_.closes_at - round_.opens_at)))))
    label = _("A brick a day: %(laid)s of %(days)s are laid") % {"laid": passed, "days": days}
    kinds = [
        "laid" if day < passed else "now" if day == passed and at >= round_.opens_at else "" for day in range(days)
    ]
    bricks = format_html_join("", '<b class="{}"></b>', ((kind,) for kind in kinds))
    return format_html('<div class="course" aria-hidden="true">{}</div><small>{}</small>', bricks, label)


_MOST_BRICKS = 42


@register.simple_tag
def little_board(rows: str) -> SafeString:
    """Draw a board given as text, for pages without a level."""
    return mark_safe(draw.svg(Board.parse(rows)))  # noqa: S308


@register.simple_tag
def exercise_board(exercise: Exercise, *, marked: bool = False) -> SafeString:
    """Draw the position of an exercise, with its lost boxes marked if *marked*."""
    return drawing(exercise.level, frozenset(exercise.boxes) if marked else frozenset(), ruler=True)


@register.simple_tag
def sprite(*names: str) -> SafeString:
    """Draw sprites of a board over each other, as a picture on a button."""
    return mark_safe(draw.icon(*names))  # noqa: S308 - our own drawing


@register.inclusion_tag("contest/round/_round_tabs.html", takes_context=True)
def round_tabs(context: dict[str, Any], round_: Round, here: str) -> dict[str, Any]:
    """Render the tabs of a round's available pages; *here* is the name of the current one."""
    at = context["server_time"]
    return {
        "round": round_,
        "here": here,
        "is_opened": visibility.is_opened(round_, at),
        "has_results": visibility.may_see_results(round_, at),
        "has_replays": visibility.are_solutions_public(round_, at),
    }


@register.simple_tag(takes_context=True)
def desk_here(context: dict[str, Any], name: str) -> SafeString:
    """Return the aria-current attribute of the desk's tab *name*: for its page or a page below it, else ""."""
    address, here = reverse(name), context["request"].path
    if here == address:
        return SafeString(' aria-current="page"')
    if name == "desk-rounds":  # a draft has its own address
        here = here.replace("/desk/drafts/", "/desk/rounds/", 1)
    is_above = name != "desk" and here.startswith(address)
    return SafeString(' aria-current="true"' if is_above else "")


@register.filter
def run_length(level: Level) -> str:
    """Return the board run-length encoded on one line, which many programs read."""
    return xsb_format.run_length(level.board)


@register.filter
def mf8_code(level: Level) -> str:
    """Return the board in the MF8 forum's format."""
    return mf8.write_tagged(level.board)


@register.filter
def scoring_names(round_: Round) -> str:
    """Return the names of the levels whose ranks give points (rule 9.4)."""
    return ", ".join(str(Slot(slot).label) for slot in round_.scoring_slots)


@register.filter
def symmetry_words(level: Level) -> str:
    """Return the names of the board's symmetries."""
    symmetries = [str(_SYMMETRIES[number]) for number in level.board.symmetries if number in _SYMMETRIES]
    return ", ".join(symmetries) or pgettext("symmetry", "none")


# Three-quarter turns are omitted: they always come with a quarter turn.
_SYMMETRIES = {
    1: pgettext_lazy("symmetry", "quarter turn"),
    2: pgettext_lazy("symmetry", "half turn"),
    4: pgettext_lazy("symmetry", "left and right"),
    5: pgettext_lazy("symmetry", "other diagonal"),
    6: pgettext_lazy("symmetry", "top and bottom"),
    7: pgettext_lazy("symmetry", "main diagonal"),
}


@register.filter
def xsb(level: Level | CollectedLevel) -> str:
    """Return the board as XSB, one row per line."""
    return str(level.board)


@register.simple_tag
def when(at: datetime, form: str = "minute") -> SafeString:
    """Render a time in the site's zone, to the minute or second; live.js adds the reader's local time."""
    shown = times.format_second(at) if form == "second" else times.format_minute(at)
    return format_html('<time datetime="{}" data-local>{}</time>', instant(at), shown)


@register.simple_tag
def countdown(at: datetime, after: str = "closed") -> SafeString:
    """Render the time left until *at*, which live.js counts; *after* names the words that replace it then."""
    attributes = format_html('datetime="{}" data-countdown data-over="{}"', instant(at), _AFTER_COUNTDOWN[after])
    return format_html('<time class="countdown" {}></time>', attributes)


_AFTER_COUNTDOWN = {
    "closed": pgettext_lazy("countdown", "closed"),
    "open": pgettext_lazy("countdown", "open"),
    "over": pgettext_lazy("countdown", "over"),
    "practice": _("Closed: send as practice"),
}


@register.filter
def day(at: datetime) -> str:
    """Return the day in the site's time zone."""
    return times.format_day(at)


@register.simple_tag
def reason(zh: str, en: str) -> SafeString:
    """Render an organiser's text, written in one or both languages, with its `lang` attribute."""
    text = bilingual.in_language(zh, en)
    return format_html('<span lang="{}">{}</span>', text.lang, text.text)


@register.filter
def instant(at: datetime) -> str:
    """Return a time in ISO format, to the second in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@register.filter
def phase_words(phase: Phase) -> str:
    return str(PHASE_WORDS[phase])


@register.filter
def title_words(title: str) -> str:
    return str(verdicts.TITLE_WORDS.get(title, title))


@register.filter
def with_pushes(moves: int, pushes: int) -> str:
    """Return the counts of a solution in words: `3 moves, 1 push`."""
    return verdicts.describe_counts(moves, pushes)


@register.filter
def verdict_sentence(submission: Submission) -> str:
    return verdicts.describe_verdict(submission)


@register.filter
def reading_words(submission: Submission) -> str:
    return verdicts.describe_reading(submission)


@register.filter
def offer_sentence(submission: Submission) -> str:
    return verdicts.describe_offer(submission)


@register.filter
def offer_button(submission: Submission) -> str:
    return verdicts.offer_button(submission)


@register.simple_tag(takes_context=True)
def waits_for_printed_mail(context: dict[str, Any]) -> bool:
    """Return True if an anonymous reader will get no e-mail, because the server prints messages to its console."""
    return mail.is_printed() and not context["user"].is_authenticated


_PROMINENT = {"prominent", "primary", "confirm"}


@register.filter
def has_prominence(tags: Iterable[str] | None) -> bool:
    """Return True if *tags* (allauth's classification of buttons) mark the page's main button."""
    return not _PROMINENT.isdisjoint(tags or ())
