"""Boards, times and words for the pages."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest import reasons, words
from contest.models import Level, Submission
from contest.phases import Phase
from solvers.sokoban import Level as Board
from solvers.sokoban import draw

register = template.Library()

BEIJING = ZoneInfo("Asia/Shanghai")
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
    """The level as an SVG element; the style sheet has its colours."""
    title = str(level.get_slot_display())
    return mark_safe(draw.svg(level.board, title=f"{title}: {level.title}" if level.title else title, ruler=ruler))  # noqa: S308


@register.simple_tag
def little_board(rows: str) -> SafeString:
    """A board given as text, for pages that have no level to show."""
    return mark_safe(draw.svg(Board.parse(rows)))  # noqa: S308


@register.filter
def xsb(level: Level) -> str:
    """The board as players exchange it, one row a line."""
    return str(level.board)


@register.simple_tag
def when(at: datetime, form: str = "minute") -> SafeString:
    """An instant in Beijing time, to the minute or second; live.js adds the reader's own time."""
    shown = at.astimezone(BEIJING).strftime("%Y-%m-%d %H:%M:%S" if form == "second" else "%Y-%m-%d %H:%M")
    return format_html('<time datetime="{}" data-local>{}</time>', instant(at), shown)


@register.filter
def day(at: datetime) -> str:
    """The day in Beijing time."""
    return at.astimezone(BEIJING).strftime("%Y-%m-%d")


@register.simple_tag
def reason(zh: str, en: str) -> SafeString:
    """What an organiser wrote in one language or both, marked with the language it is in."""
    found = reasons.chosen(zh, en)
    return format_html('<span lang="{}">{}</span>', found.lang, found.text)


@register.filter
def instant(at: datetime) -> str:
    """An instant as machines read it, to the second in UTC."""
    return at.astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%dT%H:%M:%SZ")


@register.filter
def phase_words(phase: Phase) -> str:
    return str(PHASE_WORDS[phase])


@register.filter
def title_words(title: str) -> str:
    return str(words.TITLE_WORDS.get(title, title))


@register.filter
def verdict_sentence(submission: Submission) -> str:
    return words.verdict_words(submission)


@register.filter
def offer_sentence(submission: Submission) -> str:
    return words.offer_words(submission)


@register.filter
def offer_button(submission: Submission) -> str:
    return words.offer_button(submission)
