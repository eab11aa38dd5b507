"""Levels in exported files."""

from django.conf import settings

from contest.models import CollectedLevel, Level
from solvers.sokoban.formats.collection import Entry

# The API for letslogic's programs numbers all levels in one sequence, and all collections in another: in both, numbers
# from here on are those of published collections. JSoko and the letslogic crate count to 2**31.
FIRST_COLLECTED = 1_000_000_000


def entry_of(level: Level) -> Entry:
    """Return the file entry of a level, with its number (`id`) if the API for letslogic's programs is on.

    JSoko uses it to send a solution (docs/reference/letslogic.md). While the API is off it is omitted, because the same
    number is another level on letslogic.com.
    """
    return Entry(1, 1, level.board, level.title or str(level), level.author, keys=_number(level.pk))


def collected_entry(level: CollectedLevel) -> Entry:
    """Return the same for a level of a collection, at its position."""
    return Entry(level.place, 1, level.board, str(level), level.author, keys=_number(FIRST_COLLECTED + level.pk))


def _number(number: int) -> dict[str, str]:
    return {"id": str(number)} if settings.LETSLOGIC else {}
