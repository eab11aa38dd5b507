"""A round from its announcement to its end (`lifecycle`), its number (`numbering`), its `lucky_number` and its
`unsolved` levels.
"""

from contest.rounds.lifecycle import (
    announce,
    cancel,
    check,
    clear_slot,
    clone,
    extend,
    grant_make_up,
    hold_calendar,
    hold_reveal,
    in_the_way,
    is_announced,
    is_closed,
    is_frozen,
    is_opened,
    put_level,
    save,
    stamp,
    suggestion,
    void_slot,
)

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
    "is_opened",
    "put_level",
    "save",
    "stamp",
    "suggestion",
    "void_slot",
]
