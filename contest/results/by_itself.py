"""Rounds of a series that become final by themselves after quiet days (rule 14.7): only where the series says so."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast, Concat

from contest.judging import consistency
from contest.models import AuditEntry, NameReport, Question, Rejudging, Round, Submission
from contest.results.publish import finalise, obstacles

log = logging.getLogger(__name__)


def finalise_quiet(at: datetime) -> list[Round]:
    """Make final what has been quiet for as long as its series asks; return these rounds.

    A fault of one stops no other. Where two organisers look at final results (FOUR_EYES) nothing becomes so by itself.
    """
    if may_not():
        return []
    closed = Round.objects.revealed(at).filter(cancelled_at=None, finalised_at=None, is_imported=False)
    asked = closed.exclude(turn__series__final_after_days=None).select_related("turn__series")
    return [round_ for round_ in asked.order_by("opens_at") if _finalise_alone(round_, at)]


def may_not() -> bool:
    """Whether the site has results looked at by two."""
    return bool(settings.FOUR_EYES)


def _finalise_alone(round_: Round, at: datetime) -> bool:
    try:
        if not is_quiet(round_, round_.turn.series.final_after_days or 0, at):
            return False
        finalise(round_, at=at, by=None)
    except ValidationError as error:  # an organiser reads on the desk what is missing
        log.info("%s stays provisional: %s", round_, error.messages)
        return False
    except Exception:  # else the other rounds, and all else that a worker does now and then, would stand still
        log.exception("%s cannot be made final.", round_)
        return False
    return True


def is_quiet(round_: Round, days: int, at: datetime) -> bool:
    """Whether nothing was done or asked about a round for so many days after its reveal, and nothing is open."""
    since = at - timedelta(days=days)
    if round_.reveals_at > since or obstacles(round_, at):
        return False
    if Rejudging.objects.filter(applied_at=None, rows__submission__round=round_).exists():
        return False
    asked = Question.objects.filter(round=round_)
    if asked.filter(Q(answered_at=None) | Q(asked_at__gt=since) | Q(answered_at__gt=since)).exists():
        return False
    players = Submission.objects.filter(round=round_).order_by().values("player")
    reported = NameReport.objects.filter(player__in=players)
    if reported.filter(Q(decided_at=None) | Q(decided_at__gt=since)).exists():
        return False
    return not _was_acted_on(round_, since) and not list(consistency.boards(round_))


def _was_acted_on(round_: Round, since: datetime) -> bool:
    """Whether the record says of an act on the round, or on a submission to it, after *since*."""
    sent = Submission.objects.filter(round=round_)
    names = sent.annotate(name=Concat(Value("submission "), Cast("pk", CharField()))).order_by().values("name")
    about = Q(target=f"round {round_.number}") | Q(target__in=names)
    return AuditEntry.objects.filter(about, at__gt=since).exists()
