"""Repeated requests: the first receipt again, and for a short time the first claim (rules 5.5, 5.6, 5.10)."""

import hashlib
import uuid
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from contest import players
from contest.infra import rate_limits
from contest.models import Player, Submission
from contest.submissions.arrival import Arrival
from contest.submissions.entry import Entry, Receipt, Refused, encode_moves

# The first claim is given again for this long after the nickname's first request.
CLAIM_REPEATED_FOR = timedelta(minutes=10)
# A shorter key may be guessed.
MIN_KEY = 20
# A key of fewer different characters, such as a nil UUID, may be guessed; a random UUID has more but once in millions.
MIN_DIFFERENT = 8
_DIGESTS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b")
_NAMESPACES = (uuid.NAMESPACE_DNS, uuid.NAMESPACE_URL, uuid.NAMESPACE_OID, uuid.NAMESPACE_X500)


def is_unguessable(key: str, moves: str) -> bool:
    """Return False for a short key, and for one made of the text, which others may have, or of a digest of it.

    >>> is_unguessable("0b5ab7ff-8a5d-4c5e-9f0e-7d1c3a1f8f64", "rR"), is_unguessable("rR-1", "rR")
    (True, False)
    >>> is_unguessable("rRdDlLuUrRdDlLuUrRdDlLuU", "rRdDlLuUrRdDlLuUrRdDlLuUrR")
    False
    """
    letters = "".join(filter(str.isalnum, key))
    if len(key) < MIN_KEY or len(set(letters.lower())) < MIN_DIFFERENT or letters in moves:
        return False
    texts = {encode_moves(moves), encode_moves(moves.strip())}
    digests = [hashlib.new(name, text, usedforsecurity=False).digest() for name in _DIGESTS for text in texts]
    name = encode_moves(moves).decode(errors="replace")
    digests += [make(space, name).bytes for make in (uuid.uuid3, uuid.uuid5) for space in _NAMESPACES]
    return not any(
        _is_part(letters.lower(), digest.hex())
        or _is_part(letters, "".join(filter(str.isalnum, b64encode(digest).decode())))
        for digest in digests
    )


def _is_part(key: str, digest: str) -> bool:
    """Return True if one of the two contains the other: a prefix, a separator or a cut hides no digest."""
    return key in digest or digest in key


def first_secret(entry: Entry, sha256: str, address: str) -> str:
    """Return the secret for a nickname that this request creates; "" if its key is guessable.

    It is derived from the request's key and network, so that only that network can get it again.
    """
    if not is_unguessable(entry.idempotency_key, entry.moves):
        return ""
    return players.secret_for(entry.nickname, entry.idempotency_key, sha256, rate_limits.network_of(address))


def repeated_claim(entry: Entry, player: Player, sha256: str, at: datetime, address: str) -> str | None:
    """Return the claim of the first answer, which may have got lost, while it still proves *player* (rule 5.10)."""
    if at - player.created_at > CLAIM_REPEATED_FOR:
        return None
    secret = first_secret(entry, sha256, address)
    return secret if secret and players.sha256_of(secret) == player.claim_sha256 else None


def secret_again(entry: Entry, sha256: str, at: datetime, address: str) -> str:
    """Return the secret that proves a nickname created by the same request shortly before; "" otherwise."""
    created = (
        Player.objects.filter(name_key=players.name_key(entry.nickname)).first() if entry.idempotency_key else None
    )
    return (repeated_claim(entry, created, sha256, at, address) or "") if created else ""


def is_repeat(entry: Entry, player: Player, identity: dict[str, Any]) -> bool:
    """Return True if this repeats a request with a lost answer: only its sender knows its key and text."""
    earlier = Submission.objects.of(player).filter(idempotency_key=entry.idempotency_key, **identity)
    return is_unguessable(entry.idempotency_key, entry.moves) and earlier.exists()


def repeat_receipt(earlier: Submission, arrival: Arrival, player: Player) -> Receipt:
    """Return the first receipt again."""
    claim = repeated_claim(arrival.entry, player, arrival.sha256, arrival.at, arrival.address)
    return Receipt(earlier, claim=claim, is_new=False)


def find_earlier(arrival: Arrival, player: Player) -> Submission | None:
    """Return the submission with the same key or the same text (rules 5.5, 5.6)."""
    rows, key = Submission.objects.of(player), arrival.entry.idempotency_key
    keyed = list(rows.filter(idempotency_key=key)[:1]) if key else []
    return find_same(keyed, arrival) or rows.filter(**arrival.identity).order_by("number").first()


def find_same(rows: Sequence[Submission], arrival: Arrival) -> Submission | None:
    """Return the same submission among *rows* of its player. Raise Refused."""
    key, identity = arrival.entry.idempotency_key, arrival.identity

    def is_same(row: Submission) -> bool:
        of_round = row.round_id == arrival.round.pk
        return of_round and all(getattr(row, name) == value for name, value in identity.items() if name != "round")

    keyed = next((row for row in rows if key and row.idempotency_key == key), None)
    if keyed and not is_same(keyed):
        message = _("This idempotency key was used with another submission.")
        raise Refused("key_reused", message, status=422, field="idempotency_key")
    return keyed or next(filter(is_same, rows), None)
