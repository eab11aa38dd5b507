"""What the older programs read: the current round, its levels, and what counts for it."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from contest import visibility
from contest.legacy.answers import beijing
from contest.models import MAIN, League, Round, Slot, Submission
from contest.rules.phases import Phase
from contest.visibility import Viewer

AFTERGLOW = timedelta(days=1)
NOBODY = Viewer()


def current_round(at: datetime) -> Round | None:
    """The open round; else one closed less than a day ago; else the next announced; else the one closed last."""
    announced = [round_ for round_ in _rounds(at) if round_.phase(at) is not Phase.CANCELLED]
    of_phase = {phase: [round_ for round_ in announced if round_.phase(at) is phase] for phase in Phase}
    closed = sorted([*of_phase[Phase.CLOSED], *of_phase[Phase.FINAL]], key=_end, reverse=True)
    recent = [round_ for round_ in closed if _end(round_) > at - AFTERGLOW]
    coming = sorted(of_phase[Phase.SCHEDULED], key=lambda round_: round_.opens_at)
    return next(iter([*of_phase[Phase.OPEN], *recent, *coming, *closed]), None)


def _rounds(at: datetime) -> QuerySet[Round]:
    """The main track's: these programs know of one contest (rule 2.11)."""
    return visibility.rounds(NOBODY, at).filter(track=MAIN)


def _end(round_: Round) -> datetime:
    return round_.make_up_closes_at or round_.closes_at


def asked_round(text: str | None, at: datetime) -> tuple[int, Round | None]:
    """The round that ?id= asks for, and its number as asked; a draft looks exactly like an unknown number."""
    if text is None:
        round_ = current_round(at)
        return (round_.number, round_) if round_ else (0, None)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        return 0, None
    return int(text), _rounds(at).filter(number=int(text)).first()


def competition(number: int, round_: Round | None, at: datetime) -> dict[str, Any]:
    """A round with its four slots; before the opening, and for what is not there, all are null."""
    levels = visibility.levels(NOBODY, at).filter(round=round_) if round_ else []
    shown = {
        level.slot: {"title": _line(level.title), "author": _line(level.author), "level": level.text}
        for level in levels
    }
    return {
        "id": number,
        "begin": beijing(round_.opens_at) if round_ else "",
        "end": beijing(_end(round_)) if round_ else "",
        **{slot: shown.get(slot) for slot in Slot.values},
    }


def _line(text: str) -> str:
    """One line without the bar that separates rows in these programs."""
    return " ".join(text.replace("|", " ").split())


def counting(round_: Round, slot: str, at: datetime) -> QuerySet[Submission]:
    """Every submission that counts for the human ranking of a level, oldest first (rules 1.7, 16.5)."""
    rows = visibility.counted_submissions(NOBODY, at).filter(round=round_, level__slot=slot, level__voided_at=None)
    if round_.settings["leagues"] == "separate":
        rows = rows.filter(player__league=League.HUMAN)
    return rows.order_by("received_at", "number")


def submissions(number: int, round_: Round | None, slot: str, at: datetime) -> dict[str, Any]:
    """The list of a slot; an unknown slot has no label and no rows."""
    rows = counting(round_, slot, at) if round_ and slot in Slot.values else []
    return {
        "id": number,
        "label": slot if slot in Slot.values else "",
        "submission": [
            {
                "time": beijing(row.received_at),
                "name": row.player.nickname,
                "country": row.player.country or "00",
                "move": row.moves,
                "push": row.pushes,
            }
            for row in rows
        ],
    }
