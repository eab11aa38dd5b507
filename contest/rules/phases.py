"""The phase of a round: a pure function of its times and the current time (rules 3.2, 3.6)."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

# After this long, nothing received in time can still be uncommitted.
SETTLED = timedelta(minutes=2)


class Phase(StrEnum):
    DRAFT = "draft"
    SCHEDULED = "scheduled"
    OPEN = "open"
    CLOSED = "closed"
    FINAL = "final"
    CANCELLED = "cancelled"


class Times(Protocol):
    """The times that determine a phase; a round has them."""

    announced_at: datetime | None
    opens_at: datetime
    closes_at: datetime
    finalised_at: datetime | None
    cancelled_at: datetime | None
    make_up_opens_at: datetime | None
    make_up_closes_at: datetime | None


def phase(times: Times, at: datetime) -> Phase:
    """Return the phase at time *at* (rule 3.6). It does not depend on any timer having run.

    The opening time is inside the open phase, the closing time outside (rule 3.2).
    """
    if times.cancelled_at and times.cancelled_at <= at:
        return Phase.CANCELLED
    if not times.announced_at or at < times.announced_at:
        return Phase.DRAFT
    if at < times.opens_at:
        return Phase.SCHEDULED
    if at < times.closes_at or _is_in_make_up(times, at):
        return Phase.OPEN
    if not times.finalised_at or at < times.finalised_at:
        return Phase.CLOSED
    return Phase.FINAL


def _is_in_make_up(times: Times, at: datetime) -> bool:
    """Return True in a make-up window, when the round is open again after an outage (rule 3.10)."""
    if times.make_up_opens_at is None or times.make_up_closes_at is None:
        return False
    return times.make_up_opens_at <= at < times.make_up_closes_at
