"""Reading of a round by many statements while organisers may change its results."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from contest.models import Level, Round, Snapshot

T = TypeVar("T")
_ATTEMPTS = 3


def read_in_one_state(round_: Round, read: Callable[[], T]) -> T:
    """Return what *read* returns, called again if the results of *round_* have changed meanwhile.

    Rulings, renames and merges raise the board versions. Under a long series of acts the last reading counts.
    """
    state = _state_of(round_)
    for _attempt in range(_ATTEMPTS):
        found = read()
        before, state = state, _state_of(round_)
        if state == before:
            break
        round_.refresh_from_db()
    return found


def _state_of(round_: Round) -> Hashable:
    levels = Level.objects.filter(round=round_).order_by("pk").values_list("pk", "board_version", "voided_at")
    rounds = Round.objects.filter(pk=round_.pk).values_list("finalised_at", "cancelled_at", "closes_at")
    return *levels, *rounds, Snapshot.objects.filter(round=round_).count()
