"""The reasons that keep a scored submission from being ranked (rules 1.7, 2.10, 4.10, 4.14, 15)."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models import SCORED, Disqualification, Submission
from contest.wording.bilingual import LocalisedText, in_language


class Cause(TextChoices):
    """The cause, with its mark in lists of one's own submissions."""

    VOID = "void", _("void")
    DISQUALIFIED = "disqualified", pgettext_lazy("submission", "disqualified")
    VOID_LEVEL = "void-level", _("level void")
    HORS_CONCOURS = "hors-concours", _("unranked")


_SENTENCES = {
    Cause.VOID: _("This submission is void: it is not ranked."),
    Cause.DISQUALIFIED: _("The player is disqualified from this round: none of their submissions to it is ranked."),
    Cause.VOID_LEVEL: _("This level is void: it is not ranked and scores nothing."),
    Cause.HORS_CONCOURS: _("Unranked: this result is listed, but gets no rank (rules 4.10, 4.15)."),
}


@dataclass(frozen=True)
class Unranked:
    """The cause for which a submission is not ranked, and the organisers' public reason."""

    cause: Cause
    reason: LocalisedText

    @property
    def sentence(self) -> str:
        return str(_SENTENCES[self.cause])

    @property
    def is_ruled(self) -> bool:
        """Return True for a ruling of the organisers."""
        return self.cause != Cause.HORS_CONCOURS


def explain(submission: Submission) -> Unranked | None:
    """Return why a submission is not ranked, None if it may be; one query at most."""
    ruling = _standing().filter(_of_player(submission.player_id), round=submission.round_id).first()
    cause = _cause(submission, is_disqualified=ruling is not None)
    level, reasons = submission.level, ("", "")
    if cause == Cause.VOID:
        reasons = submission.void_reason_zh, submission.void_reason_en
    elif cause == Cause.DISQUALIFIED and ruling:
        reasons = ruling.reason_zh, ruling.reason_en
    elif cause == Cause.VOID_LEVEL and level:
        reasons = level.void_reason_zh, level.void_reason_en
    return Unranked(cause, in_language(*reasons)) if cause else None


def mark(submissions: QuerySet[Submission], most: int) -> list[Submission]:
    """Return the first *most* submissions for a list, with their cause as `unranked`; None if they may be ranked."""
    ruled = _standing().filter(_of_player(OuterRef("player")), round=OuterRef("round"))
    rows: list[Submission] = list(submissions.annotate(is_disqualified=Exists(ruled))[:most])
    for row in rows:
        vars(row)["unranked"] = _cause(row, is_disqualified=vars(row)["is_disqualified"])
    return rows


def _standing() -> QuerySet[Disqualification]:
    return Disqualification.objects.standing().order_by()


def _of_player(player: Any) -> Q:
    """Rule 4.13: a merged name brings its disqualifications along."""
    return Q(player=player) | Q(player__merged_into=player)


def _cause(row: Submission, *, is_disqualified: bool) -> Cause | None:
    if row.verdict not in SCORED:
        return None
    if row.voided_at:
        return Cause.VOID
    if is_disqualified and not row.is_practice:
        return Cause.DISQUALIFIED
    if row.level and row.level.voided_at:
        return Cause.VOID_LEVEL
    return Cause.HORS_CONCOURS if row.is_hors_concours else None
