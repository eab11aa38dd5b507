"""Data for the older programs: the current round, its levels, and the submissions that count."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet

from contest import visibility
from contest.legacy.answers import format_beijing
from contest.models import MAIN, League, Round, Slot, Submission
from contest.rules.phases import Phase
from contest.visibility import Viewer

AFTERGLOW = timedelta(days=1)
NOBODY = Viewer()


def current_round(at: datetime) -> Round | None:
    """Return the open round; else one closed less than a day ago; else the next announced; else the last closed one."""
    announced = [round_ for round_ in _rounds(at) if round_.phase(at) is not Phase.CANCELLED]
    of_phase = {phase: [round_ for round_ in announced if round_.phase(at) is phase] for phase in Phase}
    closed = sorted([*of_phase[Phase.CLOSED], *of_phase[Phase.FINAL]], key=_end, reverse=True)
    recent = [round_ for round_ in closed if _end(round_) > at - AFTERGLOW]
    coming = sorted(of_phase[Phase.SCHEDULED], key=lambda round_: round_.opens_at)
    return next(iter([*of_phase[Phase.OPEN], *recent, *coming, *closed]), None)


def _rounds(at: datetime) -> QuerySet[Round]:
    """Rounds of the main track: these programs know of one contest only (rule 2.11)."""
    return visibility.rounds(NOBODY, at).filter(track=MAIN)


def _end(round_: Round) -> datetime:
    return round_.make_up_closes_at or round_.closes_at


def requested_round(text: str | None, at: datetime) -> tuple[int, Round | None]:
    """Return the requested number and the round of ?id=; a draft looks exactly like an unknown number."""
    if text is None:
        round_ = current_round(at)
        return (round_.number, round_) if round_ else (0, None)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        return 0, None
    return int(text), _rounds(at).filter(number=int(text)).first()


def competition(number: int, round_: Round | None, at: datetime) -> dict[str, Any]:
    """Return a round with its four slots; they are null before the opening and for an unknown round."""
    levels = visibility.levels(NOBODY, at).filter(round=round_) if round_ else []
    shown = {
        level.slot: {"title": _as_one_line(level.title), "author": _as_one_line(level.author), "level": level.text}
        for level in levels
    }
    return {
        "id": number,
        "begin": format_beijing(round_.opens_at) if round_ else "",
        "end": format_beijing(_end(round_)) if round_ else "",
        **{slot: shown.get(slot) for slot in Slot.values},
    }


def _as_one_line(text: str) -> str:
    """Return *text* as one line, without the bar that separates rows in these programs."""
    return " ".join(text.replace("|", " ").split())


def counted_submissions(round_: Round, slot: str, at: datetime) -> QuerySet[Submission, Any]:
    """Return the facts of the submissions that count for the human ranking of a level, oldest first (1.7, 16.5)."""
    rows = visibility.counted_submissions(NOBODY, at).filter(round=round_, level__slot=slot, level__voided_at=None)
    if round_.settings["leagues"] == "separate":
        rows = rows.filter(player__league=League.HUMAN)
    named = {"name": F("player__nickname"), "country": F("player__country")}
    return rows.order_by("received_at", "number").values("received_at", "moves", "pushes", **named)


def submissions(number: int, slot: str, rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return *rows* as the submissions of a slot; the label of an unknown slot is empty."""
    return {
        "id": number,
        "label": slot if slot in Slot.values else "",
        "submission": [
            {
                "time": format_beijing(row["received_at"]),
                "name": row["name"],
                "country": row["country"] or "00",
                "move": row["moves"],
                "push": row["pushes"],
            }
            for row in rows
        ],
    }
