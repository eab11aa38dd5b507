"""Who may see a round's results, its archive and its receipt chain (rules 7.4, 14.3, 24)."""

from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Abs, Coalesce, Greatest

from contest.infra.database.row_by_row import is_there
from contest.models import ChainLink, Placing, PlacingQuerySet, Round, SealedAnswer, Snapshot, Submission
from contest.models.round import REVEALS_AT
from contest.rules.phases import Phase
from contest.rules.sealed_answers import OPENING_DAY
from contest.visibility.of_rounds import is_revealed
from contest.visibility.viewer import Viewer

# A round that was found complete is not counted again, unless it was opened again since (chain.note_complete).
COMPLETE = Q(complete_at__gte=REVEALS_AT)
_NONE = Value(-1, output_field=BigIntegerField())


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
    """Rounds whose archive is public (rule 24.1): revealed, all judged and in the receipt chain, none to open."""
    entered = Submission.objects.filter(round=OuterRef("pk")).entered()
    unready = is_there(entered.waiting()) | is_there(entered.filter(is_imported=False, chain_link=None))
    sealed = SealedAnswer.objects.filter(level__round=OuterRef("pk"))
    unready |= is_there(sealed.filter(chain_link=None))
    # Of a round that takes them the number that draws is not public before either (rule 11.5).
    takes_none = ~Q(settings__has_key="sealed_answers") | Q(settings__sealed_answers=False) | Q(is_imported=True)
    is_over = takes_none | Q(reveals_at__lte=at - OPENING_DAY)
    return Round.objects.revealed(at).filter(COMPLETE | (~unready & is_over))


def has_archive(viewer: Viewer, round_: Round, at: datetime) -> bool:
    """Whether the archive of *round_* is public. The database is asked from the reveal until the round is complete."""
    if not is_revealed(round_, at):
        return False
    is_complete = round_.complete_at is not None and round_.complete_at >= round_.reveals_at
    return is_complete or archived_rounds(viewer, at).filter(pk=round_.pk).exists()


def chain_link(round_: Round, at: datetime) -> ChainLink | None:
    """Rule 24.2: while *round_* is open the newest link of the chain; afterwards the last of the round's own."""
    links = ChainLink.objects.select_related("submission").defer("submission__text", "submission__lurd")
    if round_.phase(at) == Phase.OPEN:
        return links.order_by("-position").first()
    return links.filter(position=Subquery(_last_position(round_))).first()


def _last_position(round_: Round) -> QuerySet[Any]:
    """Of the last link of the round's own, its opening among them; -1 where it has none.

    Were the two one condition, or the order one that an index has, PostgreSQL would walk the chain back to where the
    round stands in it.
    """
    own = ChainLink.objects.filter(submission__round=OuterRef("pk"), submission__is_practice=False).order_by()
    last = own.values("submission__round").annotate(last=Max(Abs("position"))).values("last")
    sealed = ChainLink.objects.filter(sealed_answer__level__round=OuterRef("pk")).order_by()
    last_sealed = sealed.values("sealed_answer__level__round").annotate(last=Max(Abs("position"))).values("last")
    each = *(Coalesce(Subquery(one), _NONE) for one in (last, last_sealed)), Coalesce("opening_link__position", _NONE)
    latest = Greatest(*each, output_field=BigIntegerField())
    return Round.objects.filter(pk=round_.pk).order_by().values_list(latest)


def placings(viewer: Viewer, at: datetime) -> PlacingQuerySet:  # noqa: ARG001
    """Places, points and titles of final rounds; before that they are a preview of their round alone (rule 7.4)."""
    return Placing.objects.filter(round__in=Round.objects.final(at))
