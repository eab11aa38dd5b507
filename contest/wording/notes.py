"""Organisers' public notes and rulings on a round as display rows (rules 2.10, 3.7, 3.10, 7.4, 15)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from contest.models import Disqualification, Note, Player, Slot
from contest.wording import times
from contest.wording.bilingual import LocalisedText, in_language


@dataclass(frozen=True)
class Row:
    """One note: when, what, and why, with the language of the reason."""

    at: datetime
    what: str
    why: LocalisedText


@dataclass(frozen=True)
class Ruling:
    """A disqualified player, and the reason; if it was lifted, when and why, in the languages of the organisers."""

    player: Player
    why: LocalisedText
    lifted_at: datetime | None
    lift_reason: str


def note(row: Note) -> Row:
    """Return a note with the text of its change."""
    return Row(row.written_at, _SAYERS[Note.Kind(row.kind)](row.values), in_language(row.text_zh, row.text_en))


def ruling(row: Disqualification) -> Ruling:
    why = in_language(row.reason_zh, row.reason_en)
    return Ruling(row.player, why, row.lifted_at, row.lift_reason)


def _extension(values: dict[str, Any]) -> str:
    return _("Closes at %(after)s instead of %(before)s.") % {
        "before": _format_instant(values["before"]),
        "after": _format_instant(values["after"]),
    }


def _make_up(values: dict[str, Any]) -> str:
    return _("Reopened after an outage, from %(opens)s to %(closes)s.") % {
        "opens": _format_instant(values["opens_at"]),
        "closes": _format_instant(values["closes_at"]),
    }


def _slot_void(values: dict[str, Any]) -> str:
    return _("The level %(level)s is void: it is not ranked and scores nothing.") % {
        "level": Slot(values["slot"]).label
    }


def _cancellation(_values: dict[str, Any]) -> str:
    return _("The round is cancelled.")


def _revision(values: dict[str, Any]) -> str:
    return _("The results were revised: revision %(revision)s.") % {"revision": values["revision"]}


_SAYERS: dict[Note.Kind, Callable[[dict[str, Any]], str]] = {
    Note.Kind.EXTENDED: _extension,
    Note.Kind.MAKE_UP: _make_up,
    Note.Kind.SLOT_VOID: _slot_void,
    Note.Kind.CANCELLED: _cancellation,
    Note.Kind.REVISED: _revision,
}


def _format_instant(instant: str) -> str:
    """Return the time in the site's zone, as on the rest of the page (rule 3.5)."""
    return times.format_zoned_minute(datetime.fromisoformat(instant))
