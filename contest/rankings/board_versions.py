"""Version of all lists of a round in one query, for clients that poll for changes."""

from collections.abc import Hashable
from functools import partial

from contest.infra import kept
from contest.infra.database import state as database_state

_COLUMNS = (
    "r.announced_at", "r.opens_at", "r.closes_at", "r.make_up_opens_at", "r.make_up_closes_at", "r.reveal_waits_until",
    "r.finalised_at", "r.cancelled_at", "r.settings", "l.id", "l.slot", "l.board_version", "l.voided_at",
)  # fmt: skip
# One text per level, as it is only compared: converting the columns to Python values costs more than the query.
_AS_TEXT = " || '|' || ".join(f"COALESCE(CAST({column} AS TEXT), '')" for column in _COLUMNS)
_STATEMENT = (
    f"SELECT {_AS_TEXT} FROM contest_round r LEFT JOIN contest_level l ON l.round_id = r.id "  # noqa: S608 - our names
    "WHERE r.number = %s ORDER BY l.id"
)


def of_round(number: int) -> Hashable:
    """Return the times and settings of the round and the versions of its boards, the same for everybody.

    None if unknown (`database_state`).
    """
    return database_state.read_committed(_STATEMENT, [number])


def of_its_round(_request: object, number: int, **_others: object) -> kept.State:
    """Return the cache condition of pages of the round and its levels with an ETag built only from these values."""
    return partial(of_round, number)
