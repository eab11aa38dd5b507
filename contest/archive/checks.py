"""Validate the members of an archive's JSON files: nothing is used before it is checked (docs/reference/archive.md)."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NoReturn

from contest.archive.format import (
    ACCEPTED,
    AWAITING,
    CANCELLED,
    FINAL,
    FORMATS,
    HASHED,
    PROVISIONAL,
    SPECTATOR,
    instant,
)
from contest.rules import beacons, canonical, move_readers, scoring

MAX_LINE_BYTES = 2_100_000
MORE = "more is read with --large, if you trust where it comes from"
_LARGEST_NUMBER = 2**63 - 1
_LARGEST_COUNT = 2_000_000
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class BadArchive(ValueError):
    """The file is not an archive of a round: *where* and *why*."""

    def __init__(self, where: str, why: str) -> None:
        self.where = where
        self.why = why
        super().__init__(f"{where}: {why}")


def parse(data: bytes, where: str, *, max_values: int = MAX_LINE_BYTES) -> Any:
    """Parse JSON. Raise BadArchive for duplicate names, NaN, numbers with thousands of digits and deep nesting.

    At most *max_values* values are allowed: an empty list takes three bytes in the file, but seventy in memory.
    """
    if data.count(b",") + data.count(b"[") + data.count(b"{") > max_values:
        refuse(where, f"holds more than {max_values:,} values; {MORE}")
    try:
        value = json.loads(data.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
        if _SURROGATE.search(data):
            json.dumps(value, ensure_ascii=False).encode()  # raises for a lone surrogate
        return value
    except RecursionError:
        refuse(where, "is nested too deeply")
    except ValueError as error:
        refuse(where, f"is no JSON in UTF-8 ({error})")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


Check = Callable[[Any], bool]


def fields_of(value: Any, where: str, checks: Mapping[str, Check]) -> dict[str, Any]:
    """Return the members of an object: exactly those of *checks*, each valid. Raise BadArchive."""
    if not isinstance(value, dict):
        refuse(where, "is no JSON object")
    if missing := sorted(checks.keys() - value.keys()):
        refuse(where, f"lacks {missing[0]}")
    if foreign := sorted(value.keys() - checks.keys()):
        refuse(where, f"has {foreign[0]!a}, which does not belong there")
    for name, fits in checks.items():
        if not fits(value[name]):
            refuse(where, f"{name} cannot be {canonical.json_line(value[name])[:80]}")
    return value


def is_number(value: Any) -> bool:
    return type(value) is int and 0 < value <= _LARGEST_NUMBER  # bool is a subclass of int


def is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST_NUMBER


def is_count(value: Any) -> bool:
    return type(value) is int and 0 < value <= _LARGEST_COUNT


def is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def is_sha256(value: Any) -> bool:
    return isinstance(value, str) and bool(_SHA256.fullmatch(value))


def is_signature(value: Any) -> bool:
    return isinstance(value, str) and beacons.is_signature(value)


def is_time(value: Any) -> bool:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return False
    try:
        instant(value)
    except ValueError:
        return False
    return True


def is_moment(value: Any) -> bool:
    """Return whether *value* is a time as in a note, such as 2026-11-22T20:00:00+08:00, with a day in every zone."""
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return moment.tzinfo is not None and 1 < moment.year < 9999


def is_text(max_length: int) -> Check:
    return lambda value: isinstance(value, str) and len(value) <= max_length and "\0" not in value


def is_choice(*choices: str) -> Check:
    return lambda value: isinstance(value, str) and value in choices


def or_none(fits: Check) -> Check:
    return lambda value: value is None or fits(value)


def is_list(fits: Check, max_length: int = 100_000) -> Check:
    return lambda value: isinstance(value, list) and len(value) <= max_length and all(map(fits, value))


def is_object(**checks: Check) -> Check:
    """Return a check for an object with exactly these members."""
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == checks.keys()
        and all(fits(value[name]) for name, fits in checks.items())
    )


def is_object_with(**checks: Check) -> Check:
    """Return a check for an object with at least these members."""
    return lambda value: (
        isinstance(value, dict) and all(name in value and fits(value[name]) for name, fits in checks.items())
    )


def is_either(*checks: Check) -> Check:
    return lambda value: any(fits(value) for fits in checks)


def is_any_object(value: Any) -> bool:
    return isinstance(value, dict)


def is_lurd(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LARGEST_COUNT and not value.strip("lurdLURD")


_reason = is_text(500)
_league = is_choice("human", "bot")
_slot = is_choice(*scoring.SLOTS)
SUBMISSION: Mapping[str, Check] = {
    "number": is_number,
    "player": is_number,
    "league": _league,
    "slot": _slot,
    "received_at": is_time,
    "verdict": is_choice(ACCEPTED, SPECTATOR),
    "moves": is_count,
    "pushes": is_count,
    "sha256": is_sha256,
    "lurd": or_none(is_lurd),
    "void": or_none(is_object(at=is_time, reason_zh=_reason, reason_en=_reason)),
    "is_hors_concours": is_flag,
    "is_imported": is_flag,
}
# From format 2 on.
_NONCE = re.compile(r"[0-9a-f]{32}")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
OPENED_SUBMISSION: Mapping[str, Check] = {
    **SUBMISSION,
    "sha256": or_none(is_sha256),
    "leaf": or_none(is_sha256),
    "nonce": or_none(lambda value: isinstance(value, str) and bool(_NONCE.fullmatch(value))),
    "sent_as": or_none(is_number),
    "text": or_none(lambda value: isinstance(value, str) and bool(_BASE64.fullmatch(value))),
}
# From format 4 on.
ENTRY: Mapping[str, Check] = {
    **{name: check for name, check in OPENED_SUBMISSION.items() if name != "is_imported"},
    "leaf": is_sha256,
    "sent_as": is_number,
    "sent_league": _league,
    "reader": is_choice(*move_readers.READERS),
    "slot_named": is_choice("", *scoring.SLOTS),
    "text_seal": is_sha256,
}
SUBMISSION_MEMBERS = {1: SUBMISSION, 2: OPENED_SUBMISSION, 3: OPENED_SUBMISSION, 4: ENTRY}
CLOSING: Mapping[str, Check] = {
    "round": is_number,
    "closes_at": is_time,
    "draws_at": is_time,
    "at": is_time,
    "beacon": or_none(is_number),
    "sealed": is_size,
    "opened": or_none(is_list(is_number)),
    "size": is_size,
    "root": is_sha256,
    "link": is_sha256,
}
# Proofs about levels, each of a kind whose checker the program may know or not.
CERTIFICATE: Mapping[str, Check] = {"slot": _slot, "kind": is_text(50), "certificate": is_any_object}
OPTIMUM: Mapping[str, Check] = {
    "number": is_count,
    "sha256": is_sha256,
    "engine": is_text(20),
    "made_at": is_time,
    "xz": lambda value: isinstance(value, str) and bool(_BASE64.fullmatch(value)),
}
# From format 3 on.
SEALED_ANSWER: Mapping[str, Check] = {
    "number": is_number,
    "player": is_number,
    "sent_as": is_number,
    "slot": _slot,
    "received_at": is_time,
    "moves": is_count,
    "pushes": is_count,
    "sha256": is_sha256,
    "leaf": is_sha256,
    "opened_at": or_none(is_time),
    "submission": or_none(is_number),
}
OPENED_UNTIL: dict[str, Check] = {"opened_until": is_time}
PLAYER: Mapping[str, Check] = {
    "number": is_number,
    "name": is_text(128),
    "country": is_text(8),
    "league": _league,
}
LINK: Mapping[str, Check] = {"number": is_number, "received_at": is_time, "sha256": is_sha256, "link": is_sha256}
LEAF: Mapping[str, Check] = {"leaf": is_sha256, "link": is_sha256}
MANIFEST_MEMBERS: Mapping[int, Mapping[str, Check]] = {
    format_: {
        "format": is_number,
        "engine": is_number,
        "round": is_number,
        "files": is_object(**dict.fromkeys(HASHED[format_], is_sha256)),
    }
    for format_ in FORMATS
}
OPENING_MEMBERS: Mapping[str, Check] = {
    "round": is_number,
    "opens_at": is_time,
    "closes_at": is_time,
    "settings": is_any_object,
    "levels": is_list(is_object(slot=_slot, sha256=is_sha256), 4),
    "commitment": or_none(is_sha256),
}
# Present only if the round is not in the main track, which is never named (rule 2.11).
MAIN = "main"
_SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
TRACK: dict[str, Check] = {
    "track": lambda value: (
        isinstance(value, str) and len(value) <= 30 and value != MAIN and bool(_SLUG.fullmatch(value))
    )
}
# The round's number within its track (rule 2.1); older archives do not have it.
NUMBER_IN_TRACK: dict[str, Check] = {"number_in_track": or_none(is_number)}
# The leaves before the archive's first: their number, and the hashes of the complete subtrees, largest first.
TREE: dict[str, Check] = {"tree": is_object(size=is_size, peaks=is_list(is_sha256, 64))}
_LEVEL = is_object(
    slot=_slot, title=is_text(200), author=is_text(200), sha256=is_sha256,
    void=or_none(is_object(at=is_time, reason_zh=_reason, reason_en=_reason)),
)  # fmt: skip
# The values of a note, by its kind: pages put them into a sentence.
_NOTE_VALUES: dict[str, Check] = {
    "extended": is_object_with(before=is_moment, after=is_moment),
    "make_up": is_object_with(opens_at=is_moment, closes_at=is_moment),
    "slot_void": is_object_with(slot=_slot),
    "cancelled": is_any_object,
    "revised": is_object_with(revision=is_number),
}
_NOTE = is_either(
    *(
        is_object(kind=is_choice(kind), text_zh=is_text(1_000), text_en=is_text(1_000), values=fits, written_at=is_time)
        for kind, fits in _NOTE_VALUES.items()
    )
)
_REVISION = is_object(revision=is_number, made_at=is_time, reason_zh=_reason, reason_en=_reason, sha256=is_sha256)
_DISQUALIFIED = is_object(player=is_number, ruled_at=is_time, reason_zh=_reason, reason_en=_reason)
_LUCKY: dict[str, Check] = {
    "number": lambda value: type(value) is int and 0 <= value < 2**53,
    "salt": is_text(32),
    "is_typed": is_flag,
}
_SIGNED = is_object(round=is_number, value=or_none(is_sha256), signature=or_none(is_signature))
# From format 4 on.
SIGNED_LUCKY: dict[str, Check] = {"lucky": or_none(is_either(is_object(**_LUCKY), is_object(**_LUCKY, beacon=_SIGNED)))}
CANCELLATION: dict[str, Check] = {"cancelled": is_object(at=is_time, reason_zh=_reason, reason_en=_reason)}
ROUND_MEMBERS: dict[str, Check] = {
    "number": is_number,
    "title_zh": is_text(200),
    "title_en": is_text(200),
    "announced_at": or_none(is_time),
    "opens_at": is_time,
    "closes_at": is_time,
    "make_up_opens_at": or_none(is_time),
    "make_up_closes_at": or_none(is_time),
    "finalised_at": or_none(is_time),
    "settings": is_any_object,
    "commitment": or_none(is_sha256),
    "lucky": or_none(
        is_either(
            is_object(**_LUCKY),
            is_object(**_LUCKY, beacon=is_object(round=is_number, value=or_none(is_sha256))),
        )
    ),
    "levels": is_list(_LEVEL, 4),
    "disqualified": is_list(_DISQUALIFIED),
    "notes": is_list(_NOTE, 10_000),
    "revisions": is_list(_REVISION, 10_000),
    "results": is_choice(PROVISIONAL, FINAL, AWAITING, CANCELLED),
    "chain_start": is_sha256,
}


def refuse(where: str, why: str) -> NoReturn:
    raise BadArchive(where, why)
