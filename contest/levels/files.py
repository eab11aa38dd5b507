"""Levels as they stand in files that people take away."""

from django.conf import settings

from contest.models import CollectedLevel, Level
from solvers.sokoban.formats.collection import Entry

# The door for letslogic's programs has one row of numbers for all levels, and one for all collections: from here on
# they are those of published collections. JSoko and the letslogic crate count to 2**31.
FIRST_COLLECTED = 1_000_000_000


def entry_of(level: Level) -> Entry:
    """The level as a file has it. Where the door for letslogic's programs is open, its number stands with it (`id`).

    JSoko finds there where a solution belongs (docs/letslogic.md). With the door shut there is none, for the same
    number is another level on letslogic.com.
    """
    return Entry(1, 1, level.board, level.title or str(level), level.author, keys=_number(level.pk))


def collected_entry(level: CollectedLevel) -> Entry:
    """The same of a level of a collection, at its place."""
    return Entry(level.place, 1, level.board, str(level), level.author, keys=_number(FIRST_COLLECTED + level.pk))


def _number(number: int) -> dict[str, str]:
    return {"id": str(number)} if settings.LETSLOGIC else {}
