"""The one way to write down what is hashed: times, JSON, and the links of the receipt chain (rules 15.6, 24).

Pure functions: the site writes with them, and `python -m contest.verify` reads with them, without a database.
"""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

# What the first link of the chain stands on.
START = "0" * 64


def instant(at: datetime | None) -> str | None:
    """Write a time in UTC, always with microseconds.

    >>> instant(datetime(2026, 11, 21, 12, tzinfo=UTC))
    '2026-11-21T12:00:00.000000Z'
    """
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else None


def json_line(value: Any) -> str:
    """Write *value* as JSON on one line, always in the same bytes: names sorted, no blanks, letters as they are.

    >>> json_line({"b": 1, "a": "é"})
    '{"a":"é","b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def json_page(value: Any) -> str:
    """Write *value* as JSON for people to read, always in the same bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"


def link(previous: str, number: int, received_at: str, sha256: str) -> str:
    """Bind a submission to all before it (rule 24.2): the SHA-256 of `previous|number|received_at|sha256`.

    $ printf '%s|%s|%s|%s' PREVIOUS NUMBER RECEIVED_AT SHA256 | sha256sum

    >>> link(START, 1, "2026-11-21T12:00:00.000000Z", "a" * 64)
    '066eb405ca8cda5a726d769cdc4478cfdfb5ecb4cec5139a9179b02b135677c7'
    """
    return hashlib.sha256(f"{previous}|{number}|{received_at}|{sha256}".encode("ascii")).hexdigest()
