"""Organisers' actions on a round (`lifecycle`), its times (`calendar`), a window to `make_up` for an outage, its number
(`numbering`), the `tracks` that rounds belong to, its `testers` and `insiders`, its `lucky_number`, `unsolved` levels.
"""

from contest.rounds.calendar import (
    is_announced,
    is_closed,
    is_frozen,
    is_past_opening,
    lock_calendar,
    other_tracks_message,
    overlapping_round,
    suggest_round,
)
from contest.rounds.lifecycle import (
    announce,
    cancel,
    check,
    clear_slot,
    clone,
    extend,
    put_level,
    save,
    save_or_announce,
    stamp,
    void_slot,
)
from contest.rounds.make_up import delay_reveal, grant_make_up

__all__ = [
    "announce",
    "cancel",
    "check",
    "clear_slot",
    "clone",
    "delay_reveal",
    "extend",
    "grant_make_up",
    "is_announced",
    "is_closed",
    "is_frozen",
    "is_past_opening",
    "lock_calendar",
    "other_tracks_message",
    "overlapping_round",
    "put_level",
    "save",
    "save_or_announce",
    "stamp",
    "suggest_round",
    "void_slot",
]
