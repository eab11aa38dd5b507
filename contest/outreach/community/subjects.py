"""Subjects of comments: a level of a round, one of a published collection, or a post; levels also take votes."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import Best, CollectedLevel, Comment, Level, LevelResult, Player, Post, Star, Vote
from contest.rankings import standings
from contest.visibility import Viewer

Subject = Level | CollectedLevel
Discussed = Subject | Post
_COLUMNS: dict[type[Any], str] = {Level: "level", CollectedLevel: "collected", Post: "post"}


def column_name(model: type[Any]) -> str:
    """Return the foreign key by which votes, comments and stars refer to a row of *model*."""
    return _COLUMNS[model]


def as_filter(subject: Discussed) -> dict[str, Any]:
    """Return *subject* as a filter condition or as a value for a new row."""
    return {column_name(type(subject)): subject}


def discussion_url(subject: Discussed) -> str:
    """Return the URL of the discussion of *subject*."""
    if isinstance(subject, Post):
        return reverse("post-talk", args=[subject.slug])
    if isinstance(subject, Level):
        return reverse("talk", args=[subject.round.number, subject.slot])
    return reverse("collected-talk", args=[subject.collection.slug, subject.place])


def with_talk(levels: QuerySet[Any], viewer: Viewer, at: datetime) -> QuerySet[Any]:
    """Annotate *levels* as `with_comments` does, and with `is_starred` and the columns of `votes.mean_votes`."""
    name = column_name(levels.model)
    starred = Star.objects.filter(player__in=viewer.players, **{name: OuterRef("pk")})
    rows: QuerySet[Any] = with_comments(levels, at).annotate(**_tallies(name), is_starred=Exists(starred.order_by()))
    return rows


def with_comments(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    """Annotate levels or posts with `has_talk` and `comment_count`."""
    name = column_name(rows.model)
    listed = Comment.objects.filter(deleted_at=None, hidden_at=None, **{name: OuterRef("pk")}).order_by().values(name)
    counted = Coalesce(Subquery(listed.annotate(count=Count("pk")).values("count")), 0)
    found: QuerySet[Any] = rows.annotate(has_talk=visibility.is_discussable(rows.model, at), comment_count=counted)
    return found


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


def check_may_comment(subject: Discussed, player: Player, viewer: Viewer, at: datetime) -> None:
    """Raise ValidationError with a message if *player* may not vote or comment (rules 27.1, 27.2)."""
    if player.pk not in viewer.players:
        raise ValidationError(_("Only the owner of a nickname can speak under it."))
    if not visibility.discussable(type(subject), at).filter(pk=subject.pk).exists():
        raise ValidationError(
            _("This post is about a round whose results are not public yet. You can discuss it afterwards.")
            if isinstance(subject, Post)
            else _("This level is in a round whose results are not public yet. You can discuss it afterwards.")
        )
