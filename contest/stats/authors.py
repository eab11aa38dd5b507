"""Authors of levels, by the name shown with the level: only of rounds that have opened (rule 7.4)."""

from datetime import datetime

from django.db.models import Count, Max, QuerySet
from django.db.models.functions import Lower

from contest import visibility
from contest.models import Level, Player, Proposal
from contest.models.level import by_slot
from contest.visibility import Viewer


def authors(viewer: Viewer, at: datetime) -> list[tuple[str, int, int]]:
    """Return each author with the number of their levels and of the last round with one of them."""
    public = visibility.levels(viewer, at).exclude(author="").order_by().values_list("author")
    counted = public.annotate(levels=Count("pk"), last=Max("round__number")).order_by("-levels", Lower("author"))
    return list(counted)


def levels(viewer: Viewer, author: str, at: datetime) -> QuerySet[Level]:
    """Return an author's published levels, newest first."""
    return visibility.levels(viewer, at).filter(author=author).order_by("-round__number", *by_slot())


def players(viewer: Viewer, author: str, at: datetime) -> QuerySet[Player]:
    """Return the players who proposed one of the author's published levels under that name."""
    opened = visibility.opened_rounds(viewer, at)
    proposed = Proposal.objects.filter(author=author, state=Proposal.State.ACCEPTED, kept_as__used_in__in=opened)
    return visibility.players(viewer, at).filter(pk__in=proposed.values("player"), merged_into=None, erased_at=None)
