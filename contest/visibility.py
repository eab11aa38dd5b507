"""Who may see what, when: the only place that decides it (rule 7.4). Pages, API and admin all ask here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from contest.models import ChainLink, Level, Placing, Player, Round, Submission
from contest.phases import Phase


@dataclass(frozen=True)
class Viewer:
    """Who is looking: the claim secrets their browser holds, by player's number (rule 4.11)."""

    claims: Mapping[int, str] = field(default_factory=dict, repr=False)

    def owns(self, submission: Submission) -> bool:
        """Rule 7.5: a web proof of the player. Knowing the nickname is not enough."""
        return submission.player_id in self.claims


def rounds(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001 - every rule here takes the viewer
    """Rounds whose number and times are public: announced ones (rule 2.8)."""
    return Round.objects.announced(at)


def opened(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Rounds whose levels and accepted submissions are public (rule 7.4)."""
    return Round.objects.opened(at)


def levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:  # noqa: ARG001
    """Levels that are public: those of rounds that have opened (rule 7.4). An organiser's solution is not."""
    return Level.objects.filter(round__in=Round.objects.opened(at)).select_related("round").defer("solution")


def accepted(viewer: Viewer, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001
    """Submissions everybody may list, newest first: accepted ones of rounds that have opened (rules 6.14, 7.1)."""
    return (
        Submission.objects.accepted()
        .without_text()
        .filter(round__in=Round.objects.opened(at))
        .select_related("player", "level__round", "round")
        .order_by("-received_at", "-number")
    )


def counted(viewer: Viewer, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001
    """The public submissions that count (rule 1.7), newest first."""
    return (
        Submission.objects.counted()
        .without_text()
        .filter(round__in=Round.objects.opened(at))
        .select_related("player", "level__round", "round")
        .order_by("-received_at", "-number")
    )


def by_receipt(receipt_id: str) -> Submission:
    """The submission whose holder knows its receipt id, in any phase (rule 7.5). Raise Submission.DoesNotExist."""
    return Submission.objects.select_related("player", "level__round", "round").get(receipt_id=receipt_id)


def may_see_solution(viewer: Viewer, submission: Submission, at: datetime) -> bool:
    """Rule 7.3: the sender always; everybody once the round has closed, if it was accepted."""
    if viewer.owns(submission):
        return True
    return submission.is_accepted and submission.round.phase(at) in (Phase.CLOSED, Phase.FINAL)


def may_see_results(round_: Round, at: datetime) -> bool:
    """Points and champions: from the close (rule 7.4)."""
    return round_.phase(at) in (Phase.CLOSED, Phase.FINAL)


def chain_link(round_: Round, at: datetime) -> ChainLink | None:
    """Rule 24.2: while *round_* is open the newest link of the chain; afterwards the last of the round's own."""
    links = ChainLink.objects.select_related("submission").defer("submission__text", "submission__lurd")
    if round_.phase(at) != Phase.OPEN:
        links = links.filter(submission__round=round_, submission__is_practice=False)
    return links.order_by("-submission_id").first()


def placings(viewer: Viewer, at: datetime) -> QuerySet[Placing]:  # noqa: ARG001
    """Places, points and titles of final rounds; before that they are a preview of their round alone (rule 7.4)."""
    return Placing.objects.filter(round__in=Round.objects.final(at))


def players(viewer: Viewer, at: datetime) -> QuerySet[Player]:
    """Players with something public: an accepted submission or a placing (rules 6.14, 7.4). One's own always."""
    shown = Exists(accepted(viewer, at).filter(player=OuterRef("pk")).order_by())
    placed = Exists(placings(viewer, at).filter(player=OuterRef("pk")).order_by())
    return Player.objects.filter(shown | placed | Q(pk__in=viewer.claims))
