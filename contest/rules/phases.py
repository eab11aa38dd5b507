"""In which phase a round is: a pure function of its times and an instant (rules 3.2, 3.6)."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol


class Phase(StrEnum):
    DRAFT = "draft"
    SCHEDULED = "scheduled"
    OPEN = "open"
    CLOSED = "closed"
    FINAL = "final"
    CANCELLED = "cancelled"


class Times(Protocol):
    """The times a phase hangs on; a round has them."""

    announced_at: datetime | None
    opens_at: datetime
    closes_at: datetime
    finalised_at: datetime | None
    cancelled_at: datetime | None
    make_up_opens_at: datetime | None
    make_up_closes_at: datetime | None


def phase(times: Times, at: datetime) -> Phase:
    """Rule 3.6: the phase at instant *at*. No timer has to have run for it.

    The opening instant is inside the open phase, the closing instant outside (rule 3.2).
    """
    if times.cancelled_at and times.cancelled_at <= at:
        return Phase.CANCELLED
    if not times.announced_at or at < times.announced_at:
        return Phase.DRAFT
    if at < times.opens_at:
        return Phase.SCHEDULED
    if at < times.closes_at or _is_made_up(times, at):
        return Phase.OPEN
    if not times.finalised_at or at < times.finalised_at:
        return Phase.CLOSED
    return Phase.FINAL


def _is_made_up(times: Times, at: datetime) -> bool:
    """Rule 3.10: after an outage the round is open once more."""
    if times.make_up_opens_at is None or times.make_up_closes_at is None:
        return False
    return times.make_up_opens_at <= at < times.make_up_closes_at
