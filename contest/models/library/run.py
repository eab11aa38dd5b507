"""Runs: levels of rising difficulty solved in a row, against the clock or without a mistake."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import pgettext_lazy

from contest.models.player import Player


class RunMode(models.TextChoices):
    MINUTES = "three-minutes", pgettext_lazy("run", "Three minutes")
    CLEAN = "no-mistake", pgettext_lazy("run", "No mistake")
    TWENTY = "twenty-levels", pgettext_lazy("run", "Twenty levels")


class Run(models.Model):
    """A run that was sent: replayed on arrival; its solutions are never shown to others (rule 26.4)."""

    # Best first. A run without ranks keeps its counts, but is on no board.
    KEY = ("-solved", "milliseconds", "moves", "received_at", "pk")

    receipt_id = models.CharField(max_length=32, unique=True, editable=False)
    # The number in the start token: a run is sent once.
    nonce = models.CharField(max_length=32, unique=True, editable=False)
    mode = models.CharField(max_length=16, choices=RunMode)
    player = models.ForeignKey(Player, models.PROTECT, related_name="runs")
    # The player it was sent as. Merging changes `player`; this stays (rule 4.13).
    sent_as = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    started_at = models.DateTimeField()
    received_at = models.DateTimeField()
    day = models.DateField()  # of the start, in the site's time zone
    solved = models.PositiveSmallIntegerField()
    milliseconds = models.PositiveIntegerField()
    moves = models.PositiveIntegerField()
    pushes = models.PositiveIntegerField()
    solutions = models.TextField()  # for each level its place, a colon and the moves
    sha256 = models.CharField(max_length=64)  # of the solutions
    is_ranked = models.BooleanField()  # False: it came too late for its time to be checked
    is_best = models.BooleanField(default=False)
    is_best_of_day = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["Run"]] = models.Manager()

    class Meta:
        ordering = ["-received_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["mode", "player"], condition=Q(is_best=True), name="run_best"),
            models.UniqueConstraint(
                fields=["mode", "day", "player"], condition=Q(is_best_of_day=True), name="run_best_of_day"
            ),
            models.CheckConstraint(
                condition=Q(is_ranked=True) | Q(is_best=False, is_best_of_day=False), name="run_best_is_ranked"
            ),
        ]
        indexes = [
            models.Index(
                fields=["mode", "-solved", "milliseconds", "moves", "received_at", "id"],
                condition=Q(is_best=True),
                name="run_board",
            ),
            models.Index(
                fields=["mode", "day", "-solved", "milliseconds", "moves", "received_at", "id"],
                condition=Q(is_best_of_day=True),
                name="run_board_of_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_mode_display()}, {self.solved}"

    def get_absolute_url(self) -> str:
        return reverse("run-receipt", args=[self.receipt_id])

    @property
    def seconds(self) -> float:
        return self.milliseconds / 1000
