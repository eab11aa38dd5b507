"""Closings of rounds in the receipt chain (rule 24.2): links that bind what had been received when a round closed.

A closing is due two minutes after the close, when nothing received in time can still be uncommitted. A make-up window
has its own closing, and so has the day in which sealed answers are opened (rule 5.13): that one lists the opened ones.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from contest.models import ChainLink, Round, SealedAnswer, Submission
from contest.models.round import REVEALS_AT
from contest.rules import beacons, canonical
from contest.rules import settings as round_settings
from contest.rules.phases import SETTLED
from contest.rules.sealed_answers import OPENING_DAY


def due_rounds(at: datetime) -> QuerySet[Round]:
    """Return the rounds with a closing to bind: opened here, and closed long enough ago."""
    settled = at - SETTLED
    bound = ChainLink.objects.filter(closing_of=OuterRef("pk"))
    closed = Q(closes_at__lte=settled) & ~Exists(bound.filter(closes_at=OuterRef("closes_at")))
    made_up = Q(make_up_closes_at__lte=settled) & ~Exists(bound.filter(closes_at=OuterRef("make_up_closes_at")))
    takes_sealed = Q(settings__sealed_answers=True, revealed_at__lte=settled - OPENING_DAY)
    opened = takes_sealed & ~Exists(bound.filter(closes_at__gt=OuterRef("revealed_at")))
    rounds = Round.objects.filter(archive_format__gte=4, is_imported=False, opening_link__isnull=False)
    return rounds.alias(revealed_at=REVEALS_AT).filter(closed | made_up | opened).order_by("closes_at", "pk")


def next_closing(at: datetime, size: int, root: str, link: str) -> ChainLink | None:
    """Return the next closing that can be bound after *size* leaves with that *root* and last *link*; None if none can.

    A round whose entries are not all in the chain has to wait.
    """
    for round_ in due_rounds(at):
        for closes_at in _unbound_instants(round_, at):
            if _has_unbound_entries(round_, closes_at):
                break
            tree = {"size": size, "root": root, "link": link}
            document = {**_facts(round_, closes_at), **tree, "at": canonical.instant(at)}
            leaf, line = canonical.closing_leaf(document), canonical.json_line(document)
            return ChainLink(closing_of=round_, closes_at=closes_at, leaf=leaf, document=line)
    return None


def _unbound_instants(round_: Round, at: datetime) -> Sequence[datetime]:
    bound = set(ChainLink.objects.filter(closing_of=round_).values_list("closes_at", flat=True))
    ends = {round_.closes_at, round_.make_up_closes_at, round_.opening_ends_at} - {None}
    return sorted(end for end in ends if end and end <= at - SETTLED and end not in bound)


def _has_unbound_entries(round_: Round, closes_at: datetime) -> bool:
    entered = Submission.objects.filter(round=round_, received_at__lt=closes_at, is_imported=False).entered()
    answers = SealedAnswer.objects.filter(level__round=round_, chain_link=None)
    return entered.filter(chain_link=None).exists() or answers.exists()


def _facts(round_: Round, closes_at: datetime) -> dict[str, Any]:
    """Return the facts of a closing besides its place: times, sealed answers, and the beacon's round of the draw."""
    answers = SealedAnswer.objects.filter(level__round=round_)
    opened = None
    if closes_at == round_.opening_ends_at:
        opened = sorted(answers.opened().filter(opened_at__lt=closes_at).values_list("number", flat=True))
    name = round_settings.of(round_.settings).lucky_beacon
    beacon = beacons.BEACONS[name].round_at(round_.draws_at) if name != beacons.NONE else None
    return {
        "round": round_.number,
        "closes_at": canonical.instant(closes_at),
        "draws_at": canonical.instant(round_.draws_at),
        "beacon": beacon,
        "sealed": answers.count(),
        "opened": opened,
    }
