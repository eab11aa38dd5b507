"""Automatic finalisation of a series' rounds after quiet days (rule 14.7), only if the series is set so."""

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
    """Finalise the rounds that have been quiet for as long as their series requires; return them.

    An error in one round does not stop the others. With review by two organisers (FOUR_EYES) nothing is finalised here.
    """
    if may_not():
        return []
    closed = Round.objects.revealed(at).filter(cancelled_at=None, finalised_at=None, is_imported=False)
    candidates = closed.exclude(turn__series__final_after_days=None).select_related("turn__series")
    return [round_ for round_ in candidates.order_by("opens_at") if _finalise_alone(round_, at)]


def may_not() -> bool:
    """Return whether final results need review by two organisers on this site."""
    return bool(settings.FOUR_EYES)


def _finalise_alone(round_: Round, at: datetime) -> bool:
    try:
        if not is_quiet(round_, round_.turn.series.final_after_days or 0, at):
            return False
        finalise(round_, at=at, by=None)
    except ValidationError as error:  # organisers see on the desk what is missing
        log.info("%s stays provisional: %s", round_, error.messages)
        return False
    except Exception:  # or else the other rounds and all other periodic tasks would stop
        log.exception("%s cannot be made final.", round_)
        return False
    return True


def is_quiet(round_: Round, days: int, at: datetime) -> bool:
    """Return whether nothing was done or asked about a round for *days* after its reveal, and nothing is open."""
    since = at - timedelta(days=days)
    if round_.reveals_at > since or obstacles(round_, at):
        return False
    if Rejudging.objects.filter(applied_at=None, rows__submission__round=round_).exists():
        return False
    questions = Question.objects.filter(round=round_)
    if questions.filter(Q(answered_at=None) | Q(asked_at__gt=since) | Q(answered_at__gt=since)).exists():
        return False
    players = Submission.objects.filter(round=round_).order_by().values("player")
    reported = NameReport.objects.filter(player__in=players)
    if reported.filter(Q(decided_at=None) | Q(decided_at__gt=since)).exists():
        return False
    return not _was_acted_on(round_, since) and not list(consistency.boards(round_))


def _was_acted_on(round_: Round, since: datetime) -> bool:
    """Return whether the audit log has an act on the round, or on a submission to it, after *since*."""
    sent = Submission.objects.filter(round=round_)
    names = sent.annotate(name=Concat(Value("submission "), Cast("pk", CharField()))).order_by().values("name")
    about = Q(target=f"round {round_.number}") | Q(target__in=names)
    return AuditEntry.objects.filter(about, at__gt=since).exists()
