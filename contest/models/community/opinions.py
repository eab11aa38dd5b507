"""Players' votes for levels, comments on levels and posts, and the players and levels they follow (rule 27)."""

from typing import ClassVar, cast

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Avg, Count, Q
from django.utils.translation import gettext_lazy as _

from contest.models.level import Level
from contest.models.library.collection import CollectedLevel
from contest.models.outreach.post import Post
from contest.models.player import Player

LONGEST = 1_000


def _exactly_one_set(*names: str) -> Q:
    """Build a condition: exactly one of the columns *names* is not null."""
    return Q(
        *(
            Q(**{f"{filled}__isnull": False}, **{f"{column}__isnull": True for column in names if column != filled})
            for filled in names
        ),
        _connector=Q.OR,
    )


class Vote(models.Model):
    """A player's votes for a level they have solved, from 1 to 5; each scale is optional."""

    SCALES = ("beautiful", "hard", "new")
    # A mean of fewer votes would reveal single votes, and one person would have too much weight in it.
    LEAST, LEAST_NETWORKS = 8, 5

    level = models.ForeignKey(Level, models.PROTECT, null=True, related_name="votes", db_index=False)
    collected = models.ForeignKey(CollectedLevel, models.PROTECT, null=True, related_name="votes", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="votes")
    beautiful = models.PositiveSmallIntegerField(null=True, validators=[MinValueValidator(1), MaxValueValidator(5)])
    hard = models.PositiveSmallIntegerField(null=True, validators=[MinValueValidator(1), MaxValueValidator(5)])
    new = models.PositiveSmallIntegerField(null=True, validators=[MinValueValidator(1), MaxValueValidator(5)])
    cast_at = models.DateTimeField()
    # A keyed hash of level and network at the first vote, deleted after 30 days; and the number that the level's votes
    # from this network share. Null: from before networks were counted, or unknown.
    network = models.CharField(max_length=32, default="", blank=True, editable=False)
    network_number = models.PositiveIntegerField(null=True, editable=False)

    objects: ClassVar[models.Manager["Vote"]] = models.Manager()

    class Meta:
        verbose_name = _("vote for a level")
        verbose_name_plural = _("votes for levels")
        constraints = [
            models.CheckConstraint(condition=_exactly_one_set("level", "collected"), name="vote_on_one"),
            models.CheckConstraint(
                condition=Q(beautiful__range=(1, 5)) | Q(beautiful=None), name="vote_beautiful_within"
            ),
            models.CheckConstraint(condition=Q(hard__range=(1, 5)) | Q(hard=None), name="vote_hard_within"),
            models.CheckConstraint(condition=Q(new__range=(1, 5)) | Q(new=None), name="vote_new_within"),
            models.UniqueConstraint(fields=["level", "player"], name="vote_once_a_level"),
            models.UniqueConstraint(fields=["collected", "player"], name="vote_once_a_collected_level"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.beautiful}/{self.hard}/{self.new}"

    @classmethod
    def tallies(cls, scale: str, path: str = "") -> dict[str, models.Aggregate]:
        """Return the aggregates of the votes at *path* on *scale*: mean, count and number of networks."""
        has_scale = Q(**{f"{path}{scale}__isnull": False})
        return {
            "mean": Avg(f"{path}{scale}"),
            "cast": Count(f"{path}{scale}"),
            "networks": Count(f"{path}network_number", distinct=True, filter=has_scale),
        }

    @classmethod
    def is_mean_public(cls) -> Q:
        """Return the condition on `tallies` that the mean is shown."""
        return Q(cast__gte=cls.LEAST, networks__gte=cls.LEAST_NETWORKS)


class Comment(models.Model):
    """A player's comment on a level or a post. Its row outlives its text, so that replies keep their position."""

    level = models.ForeignKey(Level, models.PROTECT, null=True, related_name="comments")
    collected = models.ForeignKey(CollectedLevel, models.PROTECT, null=True, related_name="comments")
    post = models.ForeignKey(Post, models.PROTECT, null=True, related_name="comments")
    player = models.ForeignKey(Player, models.PROTECT, related_name="comments")
    answers = models.ForeignKey("self", models.SET_NULL, null=True, related_name="answered_by")
    text = models.TextField(_("comment"), max_length=LONGEST, blank=True)
    # Text that reveals a solution: pages fold it until the reader opens it.
    spoiler = models.TextField(_("part that gives a solution away"), max_length=LONGEST, blank=True)
    written_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)  # by its author
    hidden_at = models.DateTimeField(null=True)  # by an organiser
    hidden_because = models.CharField(max_length=500, blank=True)

    objects: ClassVar[models.Manager["Comment"]] = models.Manager()

    class Meta:
        ordering = ["-written_at", "-pk"]
        verbose_name = _("comment")
        verbose_name_plural = _("comments")
        constraints = [
            models.CheckConstraint(condition=_exactly_one_set("level", "collected", "post"), name="comment_on_one")
        ]
        indexes = [models.Index(fields=["-written_at", "-id"], name="comment_latest")]

    def __str__(self) -> str:
        return f"{self.player}: {self.text[:40]}"

    @property
    def subject(self) -> Level | CollectedLevel | Post:
        """The level or post that the comment is about."""
        # A constraint ensures that one is set.
        return cast(Level | CollectedLevel | Post, self.level or self.collected or self.post)


class CommentReport(models.Model):
    """A report that a comment should be removed; an organiser decides."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="reports")
    text = models.CharField(max_length=500, blank=True)
    reported_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    # A keyed hash of the reporter's network, erased with the decision.
    network = models.CharField(max_length=32, default="", db_default="", blank=True, editable=False)

    objects: ClassVar[models.Manager["CommentReport"]] = models.Manager()

    class Meta:
        ordering = ["reported_at", "pk"]
        verbose_name = _("report about a comment")
        verbose_name_plural = _("reports about comments")
        indexes = [models.Index(fields=["comment"], condition=Q(decided_at=None), name="comment_report_waits")]

    def __str__(self) -> str:
        return f"{self.comment_id}: {self.text[:40]}"


class Star(models.Model):
    """A player's star on another player or a level that they follow."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="stars")
    followed = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    level = models.ForeignKey(Level, models.CASCADE, null=True, related_name="+")
    collected = models.ForeignKey(CollectedLevel, models.CASCADE, null=True, related_name="+")
    starred_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Star"]] = models.Manager()

    class Meta:
        ordering = ["-starred_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=_exactly_one_set("followed", "level", "collected"), name="star_on_one"),
            models.UniqueConstraint(fields=["player", "followed"], name="star_once_a_player"),
            models.UniqueConstraint(fields=["player", "level"], name="star_once_a_level"),
            models.UniqueConstraint(fields=["player", "collected"], name="star_once_a_collected_level"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.followed or self.level or self.collected}"

    @property
    def living(self) -> Player | None:
        """The followed player under their current name, after any merge."""
        return self.followed and (self.followed.merged_into or self.followed)
