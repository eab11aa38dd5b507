"""Prune long rejected texts to their beginnings, 30 days after the results of their rounds are final (rule 15.8).

The archive of a round contains accepted texts only, so it stays the same to the byte. The row keeps the SHA-256 that
the receipt chain binds, its verdict and its size, so a receipt still proves what was sent.
"""

import logging
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast, Length

from contest.models import SCORED, Heartbeat, Part, Rejudged, Round, State, Submission, Verdict, Verification
from contest.staff import audit_log

log = logging.getLogger(__name__)

LARGEST_WHOLE = 65_536
HEAD_BYTES = 1_024
REST = timedelta(days=30)
_EVERY = timedelta(hours=23)
# Rows per transaction, of up to 2 MB each, and per run.
_AT_ONCE = 20
_MOST = 2_000


def prunable(at: datetime) -> QuerySet[Submission]:
    """Return the rows to prune: rejected for 30 days after final results, and practice for 30 days after its receipt.

    A text that was accepted once, or is part of a rejudging that waits to be applied, is not among them. A short text
    with counts may have a long offer (rule 6.10).
    """
    since = at - REST
    in_rejudging = Rejudged.objects.filter(submission=OuterRef("pk"), rejudging__applied_at=None)
    accepted_once = Verification.objects.filter(submission=OuterRef("pk"), outcome__verdict__in=SCORED)
    old = Submission.objects.filter(state=State.JUDGED, round__finalised_at__lte=since, received_at__lte=since)
    rejected = old.filter(full_size=None).exclude(verdict__in=SCORED)
    sized = rejected.annotate(size=Length("text"), offered=Length(Cast("turned", TextField())))
    long = sized.filter(Q(size__gt=LARGEST_WHOLE) | Q(offered__gt=LARGEST_WHOLE))
    return long.exclude(Exists(in_rejudging)).exclude(Exists(accepted_once))


def prune_daily(at: datetime) -> int:
    """Prune once a day, in small transactions; return the number of texts."""
    last = Heartbeat.objects.filter(part=Part.PRUNING).first()
    if last and timedelta(0) <= at - last.beat_at < _EVERY:
        return 0
    facts = Counter(last.facts if last else {})
    count = 0
    while count < _MOST and (pruned := _prune_some(at)):
        facts.update(pruned)
        count += pruned["texts"]
    Heartbeat.objects.update_or_create(part=Part.PRUNING, defaults={"beat_at": at, "facts": dict(facts)})
    return count


@transaction.atomic
def _prune_some(at: datetime) -> Counter[str]:
    """Prune a few texts; return their number and the bytes freed. Locked rows wait for a later run."""
    rows = prunable(at).select_for_update(skip_locked=True, no_key=True, of=("self",)).order_by("pk")[:_AT_ONCE]
    by_round: dict[int, Counter[str]] = {}
    for row in rows:
        text = bytes(row.text)
        head = head_of(text)
        pruned = {"text": head, "full_size": len(text), "why_values": _values_of(row, text), "turned": None}
        Submission.objects.filter(pk=row.pk).update(**pruned)
        freed = len(text) - len(head) + (vars(row)["offered"] or 0)
        by_round.setdefault(row.round_id, Counter()).update(texts=1, bytes=freed)
    for round_ in Round.objects.filter(pk__in=by_round):
        counted = by_round[round_.pk]
        audit_log.record(None, "prune texts", round_, after=dict(counted))
        log.info("Pruned %d rejected texts of round %s", counted["texts"], round_.number)
    return sum(by_round.values(), Counter())


def head_of(text: bytes) -> bytes:
    """Return the beginning of *text*, which ends with a whole character.

    >>> head_of("é".encode() * 1_000) == "é".encode() * 512, head_of(b"a" + "é".encode() * 1_000)[-2:] == "é".encode()
    (True, True)
    """
    end = HEAD_BYTES
    while text[end : end + 1] and text[end] & 0xC0 == 0x80:  # a continuation byte of UTF-8
        end -= 1
    return text[:end]


def _values_of(row: Submission, text: bytes) -> dict[str, Any]:
    """Return the values of the verdict's message, with the letter of the text that it quotes."""
    values: dict[str, Any] = row.why_values
    if row.verdict != Verdict.ILLEGAL or row.index is None:
        return values
    letter = text.decode("utf-8", "surrogatepass")[row.index : row.index + 1]
    return {**values, "letter": letter if letter.isprintable() else ""}
