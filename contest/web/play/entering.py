"""Data for the script that judges pasted moves in the page: candidate levels and messages."""

from collections.abc import Container, Iterable
from datetime import datetime
from typing import Any

from django.templatetags.static import static
from django.urls import reverse

from contest import visibility
from contest.infra.bundling import bundle_path
from contest.models import Level, Round, Slot
from contest.visibility import Viewer
from contest.web.play.sentences import script_messages

_RACE = "contest/beat/main.js"


def facts(rounds: Iterable[Round], viewer: Viewer, at: datetime, *, is_practice: bool = False) -> dict[str, Any]:
    """Return the visible levels of *rounds* (rule 7.4), with the URLs of all players' counts on them (rule 7.7)."""
    found = visibility.levels(viewer, at).filter(round__in=list(rounds))
    levels = sorted(found, key=lambda level: (level.round.opens_at, level.slot_order))
    is_single_round = len({level.round_id for level in levels}) < 2
    return {
        "levels": [
            {
                "name": str(level.get_slot_display())
                if is_single_round
                else f"{level.round} · {level.get_slot_display()}",
                "round": level.round.number,
                "slot": level.slot,
                "text": level.text,
                "numbers": numbers_address(level, is_practice=is_practice),
            }
            for level in levels
        ],
        "isPractice": is_practice,
        "sentences": script_messages(),
    }


def race_script() -> str:
    """Return the URL of the script for links to beat a solution: the player loads it when it is wanted."""
    return static(bundle_path(_RACE) or _RACE)


def numbers_address(level: Level, *, is_practice: bool = False) -> str:
    """Return the URL of all players' counts on *level*."""
    address = reverse("numbers", args=[level.round.number, level.slot])
    return f"{address}?practice=1" if is_practice else address


def next_address(level: Level, slots: Container[str]) -> str:
    """Return the URL to play the round's next level, "" after the last. *slots* are those with a visible level."""
    later = [slot for slot in Slot.values[level.slot_order + 1 :] if slot in slots]
    return reverse("play", args=[level.round.number, later[0]]) if later else ""
