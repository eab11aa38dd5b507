"""Answers that a player commits to by a hash before the close and sends after it (rules 5.11 to 5.13)."""

from datetime import datetime
from typing import ClassVar, Self

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from contest.models.level import Level
from contest.models.player import Player
from contest.models.submission import Door, Submission


class SealedState(models.TextChoices):
    """Unproved until opened; an answer not opened in time is void."""

    SEALED = "sealed", _("unproved")
    OPENED = "opened", _("opened")
    VOID = "void", _("void: not opened")


class SealedAnswerQuerySet(models.QuerySet["SealedAnswer"]):
    def opened(self) -> Self:
        return self.exclude(submission=None)


class SealedAnswer(models.Model):
    """A hash and the claimed counts, all public. The primary key is numbered separately from submissions."""

    number = models.BigAutoField(_("number"), primary_key=True)
    level = models.ForeignKey(Level, models.PROTECT, related_name="sealed_answers")
    player = models.ForeignKey(Player, models.PROTECT, related_name="sealed_answers")
    # The player whose random number is in the hashed text. Merging changes `player`; this stays (rule 4.13).
    sent_as = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    moves = models.PositiveIntegerField()
    pushes = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    door = models.CharField(max_length=8, choices=Door)
    is_hors_concours = models.BooleanField(default=False)
    received_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)
    # The submission it became when opened; two answers never share one.
    submission = models.OneToOneField(Submission, models.PROTECT, null=True, related_name="sealed_answer")

    objects: ClassVar[models.Manager["SealedAnswer"]] = models.Manager.from_queryset(SealedAnswerQuerySet)()

    class Meta:
        ordering = ["-number"]
        verbose_name = _("sealed answer")
        verbose_name_plural = _("sealed answers")
        constraints = [
            # A copied hash is useless, because its sender cannot open it; the constraint also refuses duplicates.
            models.UniqueConstraint(fields=["level", "sha256"], name="sealed_answer_once"),
            models.CheckConstraint(
                condition=Q(submission=None, opened_at=None) | Q(submission__isnull=False, opened_at__isnull=False),
                name="sealed_answer_opened_with_time",
            ),
            models.CheckConstraint(
                condition=Q(pushes__gte=1, moves__gte=F("pushes")), name="sealed_answer_counts_possible"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.level}: {self.sha256[:12]}"

    def get_absolute_url(self) -> str:
        return reverse("sealed-answer", args=[self.level.round.number, self.number])

    def state(self, at: datetime) -> SealedState:
        """Return its state at *at* (rules 5.12, 5.13); the level and its round must be loaded."""
        if self.submission_id:
            return SealedState.OPENED
        round_ = self.level.round
        is_over = round_.opening_ends_at is None or round_.opening_ends_at <= at
        is_cancelled = round_.cancelled_at is not None and round_.cancelled_at <= at
        return SealedState.VOID if is_over or is_cancelled or self.level.voided_at else SealedState.SEALED
