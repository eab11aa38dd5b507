"""Leaves of the receipt chain (rule 24.2): the facts that bind a submission, a sealed answer or an opening."""

import secrets
from typing import Any

from contest.models import MAIN, ChainLink, Round, SealedAnswer
from contest.models.level import in_order
from contest.rules import canonical
from contest.rules import settings as round_settings

# The columns of a submission that its leaf binds.
BOUND = (
    "number", "received_at", "sha256", "is_practice", "is_hors_concours", "slot_named", "reader", "round_id",
    "round__number", "round__archive_format", "sent_as__archive_number", "sent_as__league",
)  # fmt: skip
_ENTRIES_SINCE = 4  # archive format from which a leaf is the hash of an entry


def entry_link(row: Any) -> ChainLink:
    """Return the link of a submission, given its columns BOUND: nonce, leaf, and from format 4 on the bound entry."""
    nonce, at = secrets.token_hex(16), str(canonical.instant(row.received_at))
    if row.round__archive_format < _ENTRIES_SINCE:
        leaf = canonical.leaf(nonce, row.round__number, row.number, at, row.sha256, row.sent_as__archive_number)
        return ChainLink(submission_id=row.number, nonce=nonce, leaf=leaf)
    entry = {
        "round": row.round__number,
        "number": row.number,
        "received_at": at,
        "player": row.sent_as__archive_number,
        "league": row.sent_as__league,
        "slot": row.slot_named,
        "reader": row.reader,
        "is_hors_concours": row.is_hors_concours,
        "is_practice": row.is_practice,
        "text": canonical.text_seal(nonce, row.sha256),
    }
    leaf, line = canonical.entry_leaf(entry), canonical.json_line(entry)
    return ChainLink(submission_id=row.number, nonce=nonce, leaf=leaf, document=line)


def sealed_leaf(answer: SealedAnswer) -> str:
    level, at = answer.level, str(canonical.instant(answer.received_at))
    counts = answer.moves, answer.pushes
    player = answer.sent_as.archive_number
    return canonical.sealed_leaf(level.round.number, level.slot, answer.number, at, *counts, answer.sha256, player)


def opening(round_: Round) -> dict[str, Any]:
    """Return the facts fixed at a round's opening: times, settings, levels, commitment; and its track, if not main."""
    levels = in_order(round_.levels.defer("solution"))
    return {
        "round": round_.number,
        **({} if round_.track_id == MAIN else {"track": round_.track_id}),
        "opens_at": canonical.instant(round_.opens_at),
        "closes_at": canonical.instant(round_.closes_at),
        "settings": round_settings.of(round_.settings).as_json(),
        "levels": [{"slot": level.slot, "sha256": level.sha256} for level in levels],
        "commitment": round_.commitment or None,
    }
