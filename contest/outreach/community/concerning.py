"""Acts of organisers on a player: rulings, prizes, answers to proposals. `bell` reports them to that player alone."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import get_language

from contest import visibility
from contest.models import (
    Disqualification,
    Event,
    Level,
    Prize,
    Proposal,
    ProposalComment,
    Submission,
)
from contest.visibility import Viewer

VOID, RESTORED, REJUDGED = "void", "restored", "rejudged"
DISQUALIFIED, LIFTED, VOID_LEVEL = "disqualified", "lifted", "void-level"
PRIZE, TAKEN, DECLINED, COMMENTED = "prize", "taken", "declined", "commented"
# These lead to the receipt of a submission, and to the page of a proposal.
ON_SUBMISSIONS, ON_PROPOSALS = (VOID, RESTORED, REJUDGED), (TAKEN, DECLINED, COMMENTED)
KINDS = (*ON_SUBMISSIONS, *ON_PROPOSALS, DISQUALIFIED, LIFTED, VOID_LEVEL, PRIZE)


def sources(viewer: Viewer, user: object, since: datetime) -> Iterator[tuple[QuerySet[Any], str, dict[str, Any]]]:
    """Yield one query for each kind of act after *since*, the kind, and the columns for `bell`."""
    yield from _on_submissions(viewer, since)
    own = Disqualification.objects.filter(Q(player__in=viewer.players) | Q(player__merged_into__in=viewer.players))
    why = {"reason": localised("reason")}
    yield own.filter(lifted_at=None, ruled_at__gt=since), DISQUALIFIED, {"at": "ruled_at", "round_": "round", **why}
    yield own.filter(lifted_at__gt=since), LIFTED, {"at": "lifted_at", "round_": "round", "reason": F("lift_reason")}
    entered = Submission.objects.filter(player__in=viewer.players, level=OuterRef("pk")).order_by()
    void = Level.objects.filter(Exists(entered), voided_at__gt=since)
    level = {"slot": F("slot"), "title": F("title"), "reason": localised("void_reason")}
    yield void, VOID_LEVEL, {"at": "voided_at", "round_": "round", **level}
    won = Prize.objects.waiting().filter(player__in=viewer.players, awarded_at__gt=since, contact="")
    what = {"title": localised("what"), "place": F("player__pk")}
    yield won, PRIZE, {"at": "awarded_at", "round_": "round", **what}
    yield from _on_proposals(viewer, user, since)


def _on_submissions(viewer: Viewer, since: datetime) -> Iterator[tuple[QuerySet[Any], str, dict[str, Any]]]:
    own = visibility.own_submissions(viewer)
    columns: dict[str, Any] = {"round_": "round", "place": F("number"), "by": F("receipt_id")}
    void = own.filter(voided_at__gt=since)
    yield void, VOID, {"at": "voided_at", **columns, "reason": localised("void_reason")}
    events = Event.objects.filter(submission__player__in=viewer.players, at__gt=since)
    columns = {"round_": "round", "place": F("submission__number"), "by": F("submission__receipt_id"), "at": "at"}
    # An event is written for each void and each restoration; the last one tells the present state.
    later = Event.objects.filter(kind=Event.Kind.VOID, submission=OuterRef("submission"), at__gt=OuterRef("at"))
    restored = events.filter(kind=Event.Kind.VOID, submission__voided_at=None).exclude(Exists(later.order_by()))
    yield restored, RESTORED, columns
    yield events.filter(kind=Event.Kind.REJUDGED), REJUDGED, columns


def _on_proposals(viewer: Viewer, user: object, since: datetime) -> Iterator[tuple[QuerySet[Any], str, dict[str, Any]]]:
    own = visibility.own_proposals(viewer, user)
    for kind, state in ((TAKEN, Proposal.State.ACCEPTED), (DECLINED, Proposal.State.DECLINED)):
        decided = own.filter(state=state, decided_at__gt=since)
        yield decided, kind, {"at": "decided_at", "title": F("title"), "place": F("pk")}
    written = ProposalComment.objects.filter(is_by_staff=True, written_at__gt=since, proposal__in=own.values("pk"))
    # The reason of a decline is a comment of the same moment.
    comments = written.exclude(proposal__state=Proposal.State.DECLINED, written_at=F("proposal__decided_at"))
    yield comments, COMMENTED, {"at": "written_at", "title": F("proposal__title"), "place": F("proposal")}


def localised(field: str) -> Coalesce:
    """Return the text of *field* in the reader's language, else in the other (`bilingual.in_language`)."""
    names = [f"{field}_zh", f"{field}_en"]
    first, second = names if (get_language() or "").startswith("zh") else names[::-1]
    return Coalesce(NullIf(F(first), Value("", output_field=CharField())), F(second), output_field=CharField())
