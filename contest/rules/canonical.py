"""Canonical encodings of hashed content: times, JSON, and the links of the receipt chain (rules 15.6, 24).

Pure functions: the site writes with them, and `python -m contest.verify` reads with them, without a database.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

# The predecessor of the chain's first link.
START = "0" * 64


def instant(at: datetime | None) -> str | None:
    """Write a time in UTC, always with microseconds.

    >>> instant(datetime(2026, 11, 21, 12, tzinfo=UTC))
    '2026-11-21T12:00:00.000000Z'
    """
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else None


def json_line(value: Any) -> str:
    """Write *value* as JSON on one line, always in the same bytes: keys sorted, no spaces, non-ASCII unescaped.

    >>> json_line({"b": 1, "a": "é"})
    '{"a":"é","b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def json_page(value: Any) -> str:
    """Write *value* as JSON for human readers, always in the same bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"


def leaf(nonce: str, round_: int, number: int, received_at: str, sha256: str, player: int) -> str:
    """Return a submission's leaf (rule 24.2): the SHA-256 of `nonce|round|number|received_at|sha256|player`.

    Without the nonce, 32 random hexadecimal digits, it reveals nothing. *player* is the player's random number.

    >>> leaf("0" * 32, 219, 1, "2026-11-21T12:00:00.000000Z", "a" * 64, 5)
    '4e0a454ab7fdaff81397a94a24414b775e5cd14cb9d81b37d0ea16a317078e08'
    """
    return _sha256(f"{nonce}|{round_}|{number}|{received_at}|{sha256}|{player}")


def text_seal(nonce: str, sha256: str) -> str:
    """Return the seal of a text in its entry (rule 24.2): the SHA-256 of `nonce|sha256`.

    Without the nonce it reveals nothing, so the other facts of an entry can be shown while its text is secret.
    """
    return _sha256(f"{nonce}|{sha256}")


def entry_leaf(entry: Mapping[str, Any]) -> str:
    """Return the leaf of a submission from format 4 on (rule 24.2): the SHA-256 of `entry|` and its JSON line."""
    return _sha256(f"entry|{json_line(entry)}")


def opening_leaf(document: Mapping[str, Any]) -> str:
    """Return a round opening's leaf (rule 24.2): the SHA-256 of `opening|` and the document on one line."""
    return _sha256(f"opening|{json_line(document)}")


def closing_leaf(document: Mapping[str, Any]) -> str:
    """Return the leaf of a round's closing (rule 24.2): the SHA-256 of `closing|` and the document on one line."""
    return _sha256(f"closing|{json_line(document)}")


def sealed_leaf(
    round_: int, slot: str, number: int, received_at: str, moves: int, pushes: int, sha256: str, player: int
) -> str:
    """Return a sealed answer's leaf (rules 5.12, 24.2): the SHA-256 of `sealed|` and the arguments, joined by `|`.

    All of it is public from receipt on, so there is no nonce.
    """
    return _sha256(f"sealed|{round_}|{slot}|{number}|{received_at}|{moves}|{pushes}|{sha256}|{player}")


def bind(previous: str, leaf: str) -> str:
    """Return the link of a leaf (rule 24.2): the SHA-256 of `previous|leaf`."""
    return _sha256(f"{previous}|{leaf}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def link(previous: str, number: int, received_at: str, sha256: str) -> str:
    """Return a link in the older format without leaves (rule 24.2): SHA-256 of `previous|number|received_at|sha256`.

    $ printf '%s|%s|%s|%s' PREVIOUS NUMBER RECEIVED_AT SHA256 | sha256sum

    >>> link(START, 1, "2026-11-21T12:00:00.000000Z", "a" * 64)
    '066eb405ca8cda5a726d769cdc4478cfdfb5ecb4cec5139a9179b02b135677c7'
    """
    return _sha256(f"{previous}|{number}|{received_at}|{sha256}")
