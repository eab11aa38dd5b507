"""Removal of private text from error reports and traces: addresses, tokens, secret links, solutions and boards."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from contest.infra.logs import without_private

# Moves, also run-length encoded with brackets: 2(rU)3l. The limit of 20 keeps long numbers from taking quadratic time.
_MOVES = re.compile(r"(?<![a-z])(?:[\d()]{0,20}[lurd]){5,}[\d()]*(?![a-z])", re.IGNORECASE | re.ASCII)
# Rows of a board, also on one line or run-length encoded; text with few walls is something else.
_ROWS = re.compile(r"(?:[#@+$*.\-_ \d|\n]|\\n)+")
_FEWEST_WALLS = 4
# PostgreSQL quotes a whole row here, and a quoted text may have several lines.
_ROW = re.compile(r"\bDETAIL:.*", re.DOTALL)


def scrub_text(text: str) -> str:
    """Return *text* without rows, moves, boards and all that no log line may hold.

    >>> scrub_text("No level fits rrUUlD of ann@example.org")
    'No level fits … of …@…'
    """
    text = _ROWS.sub(lambda rows: " … " if rows[0].count("#") >= _FEWEST_WALLS else rows[0], text)
    return _MOVES.sub("…", without_private(_ROW.sub("DETAIL: …", text)))


def scrub(value: Any) -> Any:
    """Return a copy of nested mappings and sequences with every string scrubbed, except stack traces: only code."""
    if isinstance(value, str):
        return scrub_text(value)
    if isinstance(value, Mapping):
        return {key: inner if key == "stacktrace" else scrub(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [scrub(inner) for inner in value]
    return value
