"""An iCalendar file that comes back from a calendar program, with the rounds of this site at other times."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from contest.wording.verdicts import with_label

MOST = 200  # events of this site in one file
_UID = re.compile(r"desk-r([0-9]{1,15})@(.+)")


class BadCalendar(ValueError):
    """The text is no calendar that can be read; the message is a sentence in the user's language."""


@dataclass
class Edited:
    """New times by the rounds' primary keys; the titles of other events; and what is wrong with events of this site."""

    times: dict[int, tuple[datetime, datetime]] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def read(text: str, host: str) -> Edited:
    """Return the events of *text* that the site at *host* gave out. Raise BadCalendar."""
    try:
        events = [event for event in Calendar.from_ical(text).walk("VEVENT") if isinstance(event, Event)]
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        raise BadCalendar(_("This is not an iCalendar file (%(why)s).") % {"why": str(error)[:200]}) from None
    edited = Edited()
    for event in events:
        uid, title = _UID.fullmatch(str(event.get("UID", ""))), str(event.get("SUMMARY", ""))[:200] or "–"
        if not uid or uid[2] != host:
            edited.ignored.append(title)
        elif len(edited.times) >= MOST:
            raise BadCalendar(_("The file has more than %(most)s rounds.") % {"most": MOST})
        elif fault := _fault(event):
            edited.faults.append(with_label(title, fault))
        else:
            edited.times[int(uid[1])] = _in_zone(event.start), _in_zone(event.end)
    return edited


def _fault(event: Event) -> str:
    """Return why the times of an event cannot be a round's, or an empty string."""
    if "RRULE" in event or "RDATE" in event or "RECURRENCE-ID" in event:
        return _("a round cannot be repeated.")
    try:
        if not (isinstance(event.start, datetime) and isinstance(event.end, datetime)):
            return _("a round has a time of day, not only a day.")
        if not all(map(_is_in_known_zone, (event.start, event.end), map(event.get, ("DTSTART", "DTEND")))):
            return _("its time zone is not one of the IANA database, such as Europe/Prague.")
    except (ValueError, OverflowError):
        return _("it has no beginning or no end.")
    return ""


def _is_in_known_zone(at: datetime, written: Any) -> bool:
    """Return whether a time is in a zone that Python knows, or in none: as *written*, it names no other.

    A zone that the file itself defines can have a rule of billions of steps, so nothing may ask for its offset.
    """
    names_zone = written is not None and "TZID" in written.params
    return isinstance(at.tzinfo, ZoneInfo | type(UTC)) or (at.tzinfo is None and not names_zone)


def _in_zone(at: Any) -> datetime:
    """Return a time with its zone; one without is in the site's (rule 3.5)."""
    zoned: datetime = timezone.make_aware(at) if at.tzinfo is None else at
    return zoned
