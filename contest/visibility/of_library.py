"""Who may see levels beside the rounds: published collections, the organisers' library, what authors propose."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from contest.models import CollectedLevel, Collection, Intake, Level, LevelResult, LibraryLevel, Proposal
from contest.visibility.of_rounds import levels
from contest.visibility.viewer import Viewer

# Published collections


def collections(viewer: Viewer, at: datetime) -> QuerySet[Collection]:  # noqa: ARG001 - every rule here takes both
    """What everybody may play on any day, whatever stands in rounds (rule 26.3)."""
    return Collection.objects.filter(withdrawn_at=None)


def collected_levels(viewer: Viewer, at: datetime) -> QuerySet[CollectedLevel]:  # noqa: ARG001
    """Their levels."""
    return CollectedLevel.objects.filter(is_public=True)


def result_by_receipt(receipt_id: str) -> LevelResult:
    """The one result that a receipt id shows to its holder; it proves no nickname. Raise LevelResult.DoesNotExist."""
    return LevelResult.objects.select_related("player", "level__collection").get(receipt_id=receipt_id)


# The organisers' library


def levels_in_library(user: User) -> QuerySet[LibraryLevel]:
    """Levels that wait: organisers see all, authors what they brought themselves, nobody else any."""
    if user.has_perm("contest.change_librarylevel"):
        return LibraryLevel.objects.all()
    if user.has_perm("contest.add_librarylevel"):
        return LibraryLevel.objects.filter(added_by=user)
    return LibraryLevel.objects.none()


def levels_known_to(user: User, at: datetime) -> QuerySet[Level]:
    """Levels of rounds that a level brought in is compared with: of unopened rounds organisers alone are told."""
    return Level.objects.all() if user.has_perm("contest.change_librarylevel") else levels(Viewer(), at)


def may_see_vetting(user: object) -> bool:
    """Whether *user* is told what vetting has stored of a board, which knows levels that wait; the site itself is."""
    return not isinstance(user, User) or user.has_perm("contest.change_librarylevel")


def intakes(user: User) -> QuerySet[Intake]:
    """Collections being chosen from: one's own."""
    return Intake.objects.filter(brought_by=user.pk)


# What authors propose


def own_proposals(viewer: Viewer, user: object) -> QuerySet[Proposal]:
    """The levels that the viewer's account or nicknames proposed: nobody else's, and nobody else sees them."""
    mine = Q(player__in=viewer.players)
    if isinstance(user, User):
        mine |= Q(account=user)
    return Proposal.objects.filter(mine)


def proposals(user: User) -> QuerySet[Proposal]:
    """What was sent to the organisers; a draft or what was withdrawn is its author's alone."""
    if not user.has_perm("contest.change_librarylevel"):
        return Proposal.objects.none()
    return Proposal.objects.exclude(state__in=(Proposal.State.DRAFT, Proposal.State.WITHDRAWN))
