"""Access to a round's results, its archive and its receipt chain (rules 7.4, 14.3, 24)."""

from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Abs, Coalesce, Greatest

from contest.infra.database.row_by_row import row_exists
from contest.models import ChainLink, Placing, PlacingQuerySet, Round, SealedAnswer, Snapshot, Submission
from contest.models.round import REVEALS_AT
from contest.rules.phases import SETTLED, Phase
from contest.rules.sealed_answers import OPENING_DAY
from contest.visibility.of_rounds import is_revealed
from contest.visibility.viewer import Viewer

# A round recorded as complete is not checked again unless it was reopened since (receipt_chain.note_complete).
COMPLETE = Q(complete_at__gte=REVEALS_AT)
_NONE = Value(-1, output_field=BigIntegerField())


# Results


def may_preview_points(round_: Round, at: datetime) -> bool:
    """Return whether provisional points are public: while the round is open and after, unless cancelled (rule 7.4)."""
    return round_.phase(at) in (Phase.OPEN, Phase.CLOSED, Phase.FINAL)


def may_see_results(round_: Round, at: datetime) -> bool:
    """Return whether points, champions and the draw are public: from the reveal (rule 7.4; cancelled: 7.10)."""
    return is_revealed(round_, at) and round_.phase(at) in (Phase.CLOSED, Phase.FINAL)


def snapshots(viewer: Viewer, at: datetime) -> QuerySet[Snapshot]:  # noqa: ARG001
    """Return the published results of final rounds, all revisions (rules 14.3, 14.4)."""
    return Snapshot.objects.filter(round__in=Round.objects.final(at), made_at__lte=at)


def archived_rounds(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Return rounds with a public archive (rule 24.1): revealed, all judged and chained, no sealed answer to open."""
    entered = Submission.objects.filter(round=OuterRef("pk")).entered()
    unready = row_exists(entered.waiting()) | row_exists(entered.filter(is_imported=False, chain_link=None))
    sealed = SealedAnswer.objects.filter(level__round=OuterRef("pk"))
    unready |= row_exists(sealed.filter(chain_link=None))
    # With sealed answers the number of the draw is not public before either (rule 11.5).
    takes_none = ~Q(settings__has_key="sealed_answers") | Q(settings__sealed_answers=False) | Q(is_imported=True)
    is_over = takes_none | Q(reveals_at__lte=at - OPENING_DAY)
    # A link binds the closing as soon as nothing received in time can still be uncommitted (rule 24.2).
    is_settled = Q(archive_format__lt=4) | Q(is_imported=True) | Q(reveals_at__lte=at - SETTLED)
    return Round.objects.revealed(at).filter(COMPLETE | (~unready & is_over & is_settled))


def has_archive(viewer: Viewer, round_: Round, at: datetime) -> bool:
    """Return whether the archive of *round_* is public. Queries only between the reveal and completion."""
    if not is_revealed(round_, at):
        return False
    is_complete = round_.complete_at is not None and round_.complete_at >= round_.reveals_at
    return is_complete or archived_rounds(viewer, at).filter(pk=round_.pk).exists()


def chain_link(round_: Round, at: datetime) -> ChainLink | None:
    """Return the newest chain link while *round_* is open, afterwards the last link of the round itself (rule 24.2)."""
    links = ChainLink.objects.select_related("submission").defer("submission__text", "submission__lurd")
    if round_.phase(at) == Phase.OPEN:
        return links.order_by("-position").first()
    return links.filter(position=Subquery(_last_position(round_)[:1])).first()


def _last_position(round_: Round) -> QuerySet[Any]:
    """Return the position of the round's own last link, its opening link included; -1 if there is none.

    These are separate subqueries with `Abs`, as otherwise PostgreSQL would walk an index of the chain back to the
    round's links.
    """
    own = ChainLink.objects.filter(submission__round=OuterRef("pk"), submission__is_practice=False).order_by()
    last = own.values("submission__round").annotate(last=Max(Abs("position"))).values("last")
    sealed = ChainLink.objects.filter(sealed_answer__level__round=OuterRef("pk")).order_by()
    last_sealed = sealed.values("sealed_answer__level__round").annotate(last=Max(Abs("position"))).values("last")
    each = (
        *(Coalesce(Subquery(positions), _NONE) for positions in (last, last_sealed)),
        Coalesce("opening_link__position", _NONE),
    )
    latest = Greatest(*each, output_field=BigIntegerField())
    return Round.objects.filter(pk=round_.pk).order_by().values_list(latest)


def placings(viewer: Viewer, at: datetime) -> PlacingQuerySet:  # noqa: ARG001
    """Return places, points and titles of final rounds; before that each round only has a preview (rule 7.4)."""
    return Placing.objects.filter(round__in=Round.objects.final(at))
