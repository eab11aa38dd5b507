"""Who may see a round's results, its archive and its receipt chain (rules 7.4, 14.3, 24)."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from contest.models import ChainLink, Placing, PlacingQuerySet, Round, Snapshot, Submission
from contest.models.round import REVEALS_AT
from contest.rules.phases import Phase
from contest.visibility.of_rounds import is_revealed
from contest.visibility.viewer import Viewer

# A round that was found complete is not counted again, unless it was opened again since (chain.note_complete).
COMPLETE = Q(complete_at__gte=REVEALS_AT)


# Results


def may_preview_points(round_: Round, at: datetime) -> bool:
    """Points as they would be now: while the round is open, and after (rule 7.4). A cancelled round has none."""
    return round_.phase(at) in (Phase.OPEN, Phase.CLOSED, Phase.FINAL)


def may_see_results(round_: Round, at: datetime) -> bool:
    """Points, champions and the draw: from the reveal (rule 7.4). A cancelled round has none (rule 7.10)."""
    return is_revealed(round_, at) and round_.phase(at) in (Phase.CLOSED, Phase.FINAL)


def snapshots(viewer: Viewer, at: datetime) -> QuerySet[Snapshot]:  # noqa: ARG001
    """The published results of final rounds, all revisions (rules 14.3, 14.4)."""
    return Snapshot.objects.filter(round__in=Round.objects.final(at), made_at__lte=at)


def archived_rounds(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Rounds whose archive is public (rule 24.1): revealed, all judged, all in the receipt chain."""
    entered = Submission.objects.filter(round=OuterRef("pk")).entered()
    unready = Exists(entered.waiting()) | Exists(entered.filter(is_imported=False, chain_link=None))
    return Round.objects.revealed(at).filter(COMPLETE | ~Q(unready))


def chain_link(round_: Round, at: datetime) -> ChainLink | None:
    """Rule 24.2: while *round_* is open the newest link of the chain; afterwards the last of the round's own."""
    links = ChainLink.objects.select_related("submission").defer("submission__text", "submission__lurd")
    if round_.phase(at) != Phase.OPEN:
        links = links.filter(submission__round=round_, submission__is_practice=False)
    return links.order_by("-submission_id").first()


def placings(viewer: Viewer, at: datetime) -> PlacingQuerySet:  # noqa: ARG001
    """Places, points and titles of final rounds; before that they are a preview of their round alone (rule 7.4)."""
    return Placing.objects.filter(round__in=Round.objects.final(at))
