"""Organisers' actions on a round (`lifecycle`), its times (`calendar`), a window to `make_up` for an outage, its number
(`numbering`), the `tracks` that rounds belong to, its `testers`, its `lucky_number` and its `unsolved` levels.
"""

from contest.rounds.calendar import (
    hold_calendar,
    in_the_way,
    is_announced,
    is_closed,
    is_frozen,
    is_past_opening,
    suggestion,
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
from contest.rounds.make_up import grant_make_up, hold_reveal

__all__ = [
    "announce",
    "cancel",
    "check",
    "clear_slot",
    "clone",
    "extend",
    "grant_make_up",
    "hold_calendar",
    "hold_reveal",
    "in_the_way",
    "is_announced",
    "is_closed",
    "is_frozen",
    "is_past_opening",
    "put_level",
    "save",
    "save_or_announce",
    "stamp",
    "suggestion",
    "void_slot",
]
