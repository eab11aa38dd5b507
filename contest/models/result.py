"""What judging leaves behind: the append-only record, and each player's best."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from contest.models.level import Level
from contest.models.player import Player
from contest.models.submission import Submission


class Metric(models.TextChoices):
    """The two rankings of a level (rule 8.6)."""

    MOVES = "moves", _("by moves")
    PUSHES = "pushes", _("by pushes")


class Verification(models.Model):
    """That a submission was judged once with one engine on these levels (rule 6.12). Never changed, never deleted."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="verifications")
    engine_version = models.PositiveIntegerField()
    levels_digest = models.CharField(max_length=64)
    outcome = models.JSONField()
    created_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Verification"]] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "engine_version", "levels_digest"], name="verification_once_per_engine_and_levels"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission} v{self.engine_version}"


class Best(models.Model):
    """A player's best submission on a level by one metric, with its full sort key (rule 8.4).

    *first* and *second* are moves and pushes for the move ranking, pushes and moves for the push ranking.
    """

    level = models.ForeignKey(Level, models.PROTECT, related_name="bests")
    player = models.ForeignKey(Player, models.PROTECT, related_name="bests")
    metric = models.CharField(max_length=8, choices=Metric)
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="+")
    first = models.PositiveIntegerField()
    second = models.PositiveIntegerField()
    received_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Best"]] = models.Manager()

    KEY = ("first", "second", "received_at", "submission_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["level", "player", "metric"], name="best_one_per_player_and_metric"),
            models.CheckConstraint(condition=Q(metric__in=Metric.values), name="best_metric_known"),
        ]
        indexes = [
            models.Index(
                fields=["level", "metric", "first", "second", "received_at", "submission"], name="best_ranking"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.first}/{self.second}"

    @property
    def moves(self) -> int:
        return self.first if self.metric == Metric.MOVES else self.second

    @property
    def pushes(self) -> int:
        return self.second if self.metric == Metric.MOVES else self.first
