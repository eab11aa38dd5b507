"""Results of judging: the append-only record, and each player's best submission."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from contest.models.level import Level
from contest.models.player import League, Player
from contest.models.submission import Submission


class Metric(models.TextChoices):
    """The two rankings of a level (rule 8.6)."""

    MOVES = "moves", _("by moves")
    PUSHES = "pushes", _("by pushes")


class Board(models.TextChoices):
    """The result lists of a level; practice never mixes with the contest (rules 13.5, 20.1)."""

    CONTEST = "contest", _("contest")
    SPECTATOR = "spectator", _("spectator answers")
    PRACTICE = "practice", _("practice")


class Verification(models.Model):
    """A record of judging a submission with one engine on these levels (rule 6.12). Never changed, never deleted."""

    # No index of its own: the unique constraint's index begins with this column.
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="verifications", db_index=False)
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
    """A player's best counted submission on a board of a level by one metric, with its full sort key (rule 8.4).

    *first* and *second* are moves and pushes for the move ranking, pushes and moves for the push ranking.
    """

    level = models.ForeignKey(Level, models.PROTECT, related_name="bests", db_index=False)  # see above
    player = models.ForeignKey(Player, models.PROTECT, related_name="bests")
    board = models.CharField(max_length=9, choices=Board, default=Board.CONTEST)
    # Copied from the player, so that a ranking reads one index.
    league = models.CharField(max_length=8, choices=League, default=League.HUMAN)
    metric = models.CharField(max_length=8, choices=Metric)
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="+")
    first = models.PositiveIntegerField()
    second = models.PositiveIntegerField()
    received_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Best"]] = models.Manager()

    KEY = ("first", "second", "received_at", "submission_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["level", "board", "player", "metric"], name="best_one_per_board_player_and_metric"
            ),
            models.CheckConstraint(condition=Q(metric__in=Metric.values), name="best_metric_known"),
            models.CheckConstraint(condition=Q(board__in=Board.values), name="best_board_known"),
            models.CheckConstraint(condition=Q(league__in=League.values), name="best_league_known"),
        ]
        indexes = [
            models.Index(
                fields=["level", "board", "metric", "first", "second", "received_at", "submission", "league"],
                name="best_ranking",
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
