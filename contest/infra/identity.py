"""The site's own name, mark, colours, time zone and language, as its pages, messages and pictures show them.

Organisers set them on the desk (`contest.models.SiteIdentity`); without that the operator's settings hold. Each process
reads the desk's values before a request or a task (`refresh`), at most every `_SECONDS`, on a connection of its own.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, tzinfo
from email.utils import formataddr, parseaddr
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from contest.infra.database import state as database_state

BEIJING = "Asia/Shanghai"
# Colours of links and buttons in the light and the dark theme, as in site.css.
ACCENTS = ("#a3321c", "#ff9d7a")
# Until then another process may still show the old values.
_SECONDS = 3

# Columns of contest.models.SiteIdentity.
COLUMNS = (
    "version", "name_zh", "name_en", "mark", "accent_light", "accent_dark", "time_zone", "language", "contact",
    "html_zh", "html_en", "sponsoring_html_zh", "sponsoring_html_en",
)  # fmt: skip
_LOGO = "(SELECT content FROM contest_picture WHERE id = logo_id)"
_QUERY = f"SELECT {', '.join(COLUMNS)}, {_LOGO} FROM contest_siteidentity WHERE version <> %s"  # noqa: S608 - our names
_Values = Mapping[str, Any]
_previewed: ContextVar[_Values | None] = ContextVar("previewed", default=None)


class Mark(NamedTuple):
    """The site's own mark: a logo, as its bytes or the path of a PNG file, or *letters* on a square of a *colour*."""

    logo: str | bytes
    letters: str = ""
    colour: str = ""


class _Reading:
    """The desk's values as last read, None before the first reading, and the time until which they are used."""

    values: _Values | None = None
    until = 0.0


def refresh(**_signal: Any) -> None:
    """Read the desk's values again if the last reading is old, and activate the time zone for this thread.

    Without an answer, as inside a transaction, the last known values hold.
    """
    if time.monotonic() >= _Reading.until and not connection.in_atomic_block:
        _Reading.until = time.monotonic() + _SECONDS  # first, so that only one thread reads
        answer = database_state.read_committed(_QUERY, [(_Reading.values or {}).get("version", 0)])
        if isinstance(answer, tuple):
            rows = [dict(zip((*COLUMNS, "logo"), row, strict=True)) for row in answer[1:]]
            use(rows[0] if rows else _Reading.values or {})
    if (_Reading.values or {}).get("time_zone"):
        timezone.activate(zone())
    else:
        timezone.deactivate()


def use(values: _Values) -> None:
    """Use *values*, read from the row or just written to it, in this process."""
    _Reading.values, _Reading.until = values, time.monotonic() + _SECONDS


@contextmanager
def previewed(values: _Values) -> Iterator[None]:
    """Use *values* instead of the desk's, for a preview; parts of pages that are cached must not be rendered in it."""
    token = _previewed.set(values)
    try:
        yield
    finally:
        _previewed.reset(token)


def _values() -> _Values:
    if (shown := _previewed.get()) is not None:
        return shown
    if _Reading.values is None:  # a command, which has neither requests nor tasks
        refresh()
    return _Reading.values or {}


def version() -> int:
    """Return the number of the last change on the desk, 0 if there is none: a part of cache keys."""
    number: int = _values().get("version", 0)
    return number


def names() -> tuple[str, str]:
    """Return the site's name in Chinese and in English; a name that the desk sets in one language counts for both."""
    zh, en = (_values().get(column, "") for column in ("name_zh", "name_en"))
    return (zh or en, en or zh) if zh or en else (settings.SITE_NAME_ZH_HANS, settings.SITE_NAME)


def name() -> str:
    """Return the site's name in the active language."""
    return names()[0 if get_language() == "zh-hans" else 1]


def short_name() -> str:
    """Return the name for titles, feeds and subjects: in the active language; "Leitai" in every language."""
    software: str = settings.SOFTWARE_NAMES["en"]
    return software if software == names()[1] else name()


def full_name() -> str:
    """Return the Chinese name and the other one, or the only one."""
    return " ".join(dict.fromkeys(names()))


def sender() -> str:
    """Return the sender of letters: the operator's address, under the name that the desk sets."""
    given: str = settings.DEFAULT_FROM_EMAIL
    is_named = names() != (settings.SITE_NAME_ZH_HANS, settings.SITE_NAME)
    return formataddr((names()[1], parseaddr(given)[1])) if is_named else given


def mark() -> Mark | None:
    """Return the site's own mark, or None for the software's."""
    if logo := _values().get("logo"):
        return Mark(logo)
    if letters := _values().get("mark"):
        return Mark("", letters, accents()[0])
    return Mark(settings.SITE_LOGO) if settings.SITE_LOGO else None


def mark_url() -> str:
    """Return the URL of the site's mark."""
    return icon_url("icon-192") if mark() else static("contest/mark.svg")


def icon_url(shape: str) -> str:
    """Return the URL of an icon, which changes with the mark that the desk sets: browsers keep icons for a day."""
    number = version()
    return reverse("app-icon", args=[shape]) + (f"?v={number}" if number else "")


def accent_url() -> str:
    """Return the URL of the style sheet with the site's own accents; "" for those of site.css."""
    return "" if accents() == ACCENTS else accent_sheet()


def accent_sheet() -> str:
    """Return the URL of the style sheet with the accents in use."""
    return reverse("app-accent", args=["-".join(colour.removeprefix("#") for colour in accents())])


def accents() -> tuple[str, str]:
    """Return the accent colours of the light and the dark theme."""
    return (_values().get("accent_light") or ACCENTS[0], _values().get("accent_dark") or ACCENTS[1])


def language() -> str:
    """Return the language of readers whose browser asks for none of the site's."""
    chosen: str = _values().get("language") or settings.LANGUAGE_CODE
    return chosen


def operator() -> dict[str, str]:
    """Return the details of the operator that are set, by name, with the contact that the desk sets."""
    contact = _values().get("contact")
    return {**settings.OPERATOR, **({"contact": contact} if contact else {})}


def welcome() -> tuple[str, str]:
    """Return the first page's own text as HTML, in Chinese and in English; empty if there is none."""
    return _values().get("html_zh", ""), _values().get("html_en", "")


def sponsoring() -> tuple[str, str]:
    """Return how to sponsor the site as HTML, in Chinese and in English; empty if there is no page of sponsors."""
    return _values().get("sponsoring_html_zh", ""), _values().get("sponsoring_html_en", "")


def has_sponsors_page() -> bool:
    return any(sponsoring())


def zone() -> tzinfo:
    return ZoneInfo(zone_key()) if _values().get("time_zone") else timezone.get_default_timezone()


def zone_key() -> str:
    """Return the IANA name of the site's time zone."""
    chosen: str = _values().get("time_zone") or settings.TIME_ZONE
    return chosen


def zone_name() -> str:
    """Return the name of the site's time zone, such as "Beijing time" or "Europe/Paris time"."""
    if zone_key() == BEIJING:
        return _("Beijing time")
    return _("%(zone)s time") % {"zone": zone_key()}


def zone_label() -> str:
    """Return the zone's name, with its offset where that is known to be the same all year."""
    return _("Beijing time (UTC+8)") if zone_key() == BEIJING else zone_name()


def _describe_zone() -> str:
    return _("%(zone)s.") % {"zone": zone_name()}


zone_name_lazy = lazy(zone_name, str)
# Help text of a field for a time.
ZONE_HINT = lazy(_describe_zone, str)()


def format_offset(at: datetime) -> str:
    """Return the offset of the site's zone at *at*, such as "(UTC+8)" or "(UTC-3:30)"."""
    offset = f"{at.astimezone(zone()):%z}"  # +0530
    sign, hours, minutes = offset[0], int(offset[1:3]), offset[3:5]
    return f"(UTC{sign}{hours}{f':{minutes}' if minutes != '00' else ''})"
