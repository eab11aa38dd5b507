"""Levels in exported files."""

from django.conf import settings

from contest.models import CollectedLevel, Level, Slot
from solvers.sokoban.formats.collection import Entry

# The API for letslogic's programs numbers all levels in one sequence, and all collections in another: in both, numbers
# from here on are those of published collections. JSoko and the letslogic crate count to 2**31.
FIRST_COLLECTED = 1_000_000_000
# Levels of rounds are numbered from here on by the number of the round, which is public: a gap in a sequence of their
# own would show that there are levels of a round to come (rule 2.1). An older version used such a sequence, from 1 on.
_FIRST_OF_ROUNDS = 500_000_000
LAST_ROUND = (FIRST_COLLECTED - _FIRST_OF_ROUNDS) // len(Slot) - 1


def entry_of(level: Level) -> Entry:
    """Return the file entry of a level, with its number (`id`) if the API for letslogic's programs is on.

    JSoko uses it to send a solution (docs/reference/letslogic.md). While the API is off it is omitted, because the same
    number is another level on letslogic.com.
    """
    return Entry(1, 1, level.board, level.title or str(level), level.author, keys=_number(number_of(level)))


def number_of(level: Level) -> int:
    """Return the number of a level of a round up to LAST_ROUND, the last with numbers."""
    return _FIRST_OF_ROUNDS + level.round.number * len(Slot) + level.slot_order


def place_of(number: int) -> tuple[int, str]:
    """Return the round and the slot of the level with that number; round 0 for none."""
    round_number, slot = divmod(number - _FIRST_OF_ROUNDS, len(Slot))
    return max(round_number, 0), Slot.values[slot]


def collected_entry(level: CollectedLevel) -> Entry:
    """Return the same for a level of a collection, at its position."""
    return Entry(level.place, 1, level.board, str(level), level.author, keys=_number(FIRST_COLLECTED + level.pk))


def _number(number: int) -> dict[str, str]:
    return {"id": str(number)} if settings.LETSLOGIC else {}
