"""Access to levels outside rounds: published collections, the organisers' library, proposals of authors."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from contest.models import CollectedLevel, Collection, Intake, Level, LevelResult, LibraryLevel, Proposal, Run
from contest.visibility.of_rounds import levels
from contest.visibility.viewer import Viewer

# Published collections


def collections(viewer: Viewer, at: datetime) -> QuerySet[Collection]:  # noqa: ARG001 - every rule here takes both
    """Return collections that everybody may play on any day, even if rounds use their levels (rule 26.3)."""
    return Collection.objects.filter(withdrawn_at=None)


def collected_levels(viewer: Viewer, at: datetime) -> QuerySet[CollectedLevel]:  # noqa: ARG001
    """Return the public levels of collections."""
    return CollectedLevel.objects.filter(is_public=True)


def result_by_receipt(receipt_id: str) -> LevelResult:
    """Return the result with this receipt id, which proves no nickname. Raise LevelResult.DoesNotExist."""
    return LevelResult.objects.select_related("player", "level__collection").get(receipt_id=receipt_id)


def run_by_receipt(receipt_id: str) -> Run:
    """Return the run with this receipt id, which proves no nickname, without its moves. Raise Run.DoesNotExist."""
    return Run.objects.select_related("player").defer("solutions").get(receipt_id=receipt_id)


# The organisers' library


def levels_in_library(user: User) -> QuerySet[LibraryLevel]:
    """Return levels in the library: all for organisers, their own for authors, none for others."""
    if user.has_perm("contest.change_librarylevel"):
        return LibraryLevel.objects.all()
    if user.has_perm("contest.add_librarylevel"):
        return LibraryLevel.objects.filter(added_by=user)
    return LibraryLevel.objects.none()


def levels_known_to(user: User, at: datetime) -> QuerySet[Level]:
    """Return the round levels that an imported level is compared with: unopened rounds for organisers only."""
    return Level.objects.all() if user.has_perm("contest.change_librarylevel") else levels(Viewer(), at)


def may_see_vetting(user: object) -> bool:
    """Return whether *user* may see stored vetting results, which include unused levels; the site itself may."""
    return not isinstance(user, User) or user.has_perm("contest.change_librarylevel")


def intakes(user: User) -> QuerySet[Intake]:
    """Return the user's own collections from which levels are being chosen."""
    return Intake.objects.filter(brought_by=user.pk)


# What authors propose


def own_proposals(viewer: Viewer, user: object) -> QuerySet[Proposal]:
    """Return the proposals of the viewer's account or nicknames, which nobody else sees."""
    is_own = Q(player__in=viewer.players)
    if isinstance(user, User):
        is_own |= Q(account=user)
    return Proposal.objects.filter(is_own)


def proposals(user: User) -> QuerySet[Proposal]:
    """Return proposals sent to the organisers; drafts and withdrawn ones are visible to their author only."""
    if not user.has_perm("contest.change_librarylevel"):
        return Proposal.objects.none()
    return Proposal.objects.exclude(state__in=(Proposal.State.DRAFT, Proposal.State.WITHDRAWN))
