"""Levels that can be discussed: a level of a round, or one of a published collection."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import Best, CollectedLevel, Comment, Level, LevelResult, Player, Star, Vote
from contest.rankings import standings
from contest.visibility import Viewer

Subject = Level | CollectedLevel


def column_name(model: type[Any]) -> str:
    """Return the foreign key by which votes, comments and stars refer to a level of *model*."""
    return "level" if model is Level else "collected"


def as_filter(subject: Subject) -> dict[str, Subject]:
    """Return *subject* as a filter condition or as a value for a new row."""
    return {column_name(type(subject)): subject}


def discussion_url(subject: Subject) -> str:
    """Return the URL of the discussion of *subject*."""
    if isinstance(subject, Level):
        return reverse("talk", args=[subject.round.number, subject.slot])
    return reverse("collected-talk", args=[subject.collection.slug, subject.place])


def with_talk(levels: QuerySet[Any], viewer: Viewer, at: datetime) -> QuerySet[Any]:
    """Annotate *levels* with `has_talk`, `comment_count`, `is_starred` and the columns of `votes.mean_votes`."""
    name = column_name(levels.model)
    of_level = {name: OuterRef("pk")}
    listed = Comment.objects.filter(deleted_at=None, hidden_at=None, **of_level).order_by().values(name)
    counted = listed.annotate(count=Count("pk")).values("count")
    talked: QuerySet[Any] = levels.annotate(
        has_talk=visibility.is_discussable(levels.model, at),
        **_tallies(name),
        comment_count=Coalesce(Subquery(counted), 0),
        is_starred=Exists(Star.objects.filter(player__in=viewer.players, **of_level).order_by()),
    )
    return talked


def _tallies(column: str) -> dict[str, Subquery]:
    """Return the public mean and the count on each scale for the outer level; the vote of a merged name is left out."""
    cast_ = Vote.objects.filter(player__merged_into=None, **{column: OuterRef("pk")}).order_by().values(column)
    tallies: dict[str, Subquery] = {}
    for scale in Vote.SCALES:
        public = cast_.annotate(**Vote.tallies(scale)).filter(Vote.is_mean_public())
        tallies[f"mean_{scale}"] = Subquery(public.values("mean"))
        tallies[f"votes_{scale}"] = Subquery(cast_.annotate(found=Count(scale)).values("found"))
    return tallies


def has_solved(subject: Subject) -> Exists:
    """Return an EXISTS condition: the outer query's player has solved *subject*, in the contest or in practice."""
    if isinstance(subject, Level):
        bests = Best.objects.filter(level=subject, board__in=standings.SOLVED_ON)
        return Exists(bests.filter(player=OuterRef("pk")).order_by())
    return Exists(LevelResult.objects.filter(level=subject, player=OuterRef("pk")).order_by())


def check_may_comment(subject: Subject, player: Player, viewer: Viewer, at: datetime) -> None:
    """Raise ValidationError with a message if *player* may not vote or comment (rules 27.1, 27.2)."""
    if player.pk not in viewer.players:
        raise ValidationError(_("Only the owner of a nickname can speak under it."))
    if not visibility.discussable_levels(type(subject), at).filter(pk=subject.pk).exists():
        raise ValidationError(
            _("This level is in a round whose results are not public yet. You can discuss it afterwards.")
        )
