"""What the lists of a round hang on, by one question: for who asks again and again whether they have changed."""

from collections.abc import Hashable
from functools import partial

from contest.infra import kept
from contest.infra.database import state as database_state

_COLUMNS = (
    "r.announced_at", "r.opens_at", "r.closes_at", "r.make_up_opens_at", "r.make_up_closes_at", "r.reveal_waits_until",
    "r.finalised_at", "r.cancelled_at", "r.settings", "l.id", "l.slot", "l.board_version", "l.voided_at",
)  # fmt: skip
# A text a level: it is compared and never read, and to make values of columns costs more than to ask for them.
_AS_TEXT = " || '|' || ".join(f"COALESCE(CAST({column} AS TEXT), '')" for column in _COLUMNS)
_STATEMENT = (
    f"SELECT {_AS_TEXT} FROM contest_round r LEFT JOIN contest_level l ON l.round_id = r.id "  # noqa: S608 - our names
    "WHERE r.number = %s ORDER BY l.id"
)


def of_round(number: int) -> Hashable:
    """The times and settings of the round, and the versions of its boards, as they are for everybody.

    None where nobody can tell (`database_state`).
    """
    return database_state.ask(_STATEMENT, [number])


def of_its_round(_request: object, number: int, **_others: object) -> kept.State:
    """What an address of the round or of a level of it hangs on whose ETag is made of no more than these."""
    return partial(of_round, number)
