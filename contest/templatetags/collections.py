"""Tiles, thumbnails, grades and progress of levels in collections."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from contest.models import CollectedLevel, Level

register = template.Library()
_BRICKS = 20
_STANDING_FOR = 8  # characters of the digest in the URL, so that a changed board has another URL
_DRAWING = 3  # Increment whenever the drawing of boards changes: browsers cache pictures for a year.


@register.simple_tag(takes_context=True)
def tile(context: dict[str, Any], shown: Any) -> SafeString:
    """Render a level of a list, cached: forty tiles are most of a page's cost, and equal for nearly all readers."""
    level = shown.level
    source = level.collection if shown.is_collected else level.round
    names = (get_language(), level.sha256, str(level), level.title, str(source), level.solvers)
    sends = shown.is_collected and bool(context.get("sender"))
    return _tile(shown, context["theme"], names, is_at_home="collection" in context, sends=sends)


@lru_cache(maxsize=2048)
def _tile(shown: Any, theme: str, names: tuple[object, ...], *, is_at_home: bool, sends: bool) -> SafeString:  # noqa: ARG001
    context = {"tile": shown, "theme": theme, "collection": is_at_home, "sender": sends}
    return render_to_string("contest/level/_tile.html", context)


@register.simple_tag
def thumbnail(level: Level | CollectedLevel, theme: str) -> SafeString:
    """Render a lazily loaded picture of a level in the reader's theme."""
    place: tuple[object, ...]
    if isinstance(level, CollectedLevel):
        name, place = "thumbnail", (level.collection.slug, level.place)
    else:
        name, place = "round-thumbnail", (level.round.number, level.slot)
    return _picture(name, place, level.sha256[:_STANDING_FOR], level.width, level.height, theme)


@lru_cache(maxsize=4096)
def _picture(name: str, place: tuple[object, ...], board: str, width: int, height: int, theme: str) -> SafeString:
    """Render a picture, cached like `_tile`: a page of collections shows two hundred."""
    light, dark = (f"{reverse(name, args=[*place, look])}?{board}-{_DRAWING}" for look in ("light", "dark"))
    image = format_html(
        '<img src="{}" alt="" loading="lazy" decoding="async" width="{}" height="{}">',
        dark if theme == "dark" else light,
        24 * width,
        24 * height,
    )
    if theme:
        return image
    return format_html('<picture><source media="(prefers-color-scheme: dark)" srcset="{}">{}</picture>', dark, image)


@register.simple_tag
def grade(number: int) -> SafeString:
    """Draw a grade as bricks, with its name for screen readers."""
    name = str(CollectedLevel.Grade(number).label)
    label = _("Difficulty: %(grade)s") % {"grade": name}
    return _bricks(number, len(CollectedLevel.Grade), label, "bricks grade")


@register.simple_tag
def progress(done: int, count: int) -> SafeString:
    """Draw the progress *done* of *count* as a row of bricks, which is full only when all is done."""
    laid = min(_BRICKS - (done < count), -(-_BRICKS * done // count)) if count else 0
    return _bricks(laid, _BRICKS, _("%(done)s of %(count)s solved") % {"done": done, "count": count}, "bricks progress")


def _bricks(laid: int, of: int, label: str, kind: str) -> SafeString:
    width = 10 * of - 2
    full = f"M0 4h{width}" if laid == of else f"M0 4h{max(0, 10 * laid - 2)}"
    return format_html(
        '<svg class="{}" role="img" aria-label="{}" viewBox="0 0 {} 8"><title>{}</title>'
        '<path class="unlaid" d="M0 4h{}"/><path class="laid" d="{}"/></svg>',
        kind, label, width, label, width, full if laid else "M0 4",
    )  # fmt: skip


@register.filter
def clock_face(milliseconds: int) -> str:
    """Return a duration as a clock shows it, with tenths of a second.

    >>> clock_face(125_480), clock_face(3_600_000)
    ('2:05.4', '60:00.0')
    """
    tenths = milliseconds // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
