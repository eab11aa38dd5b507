"""Old rounds that an organiser brings: checked and stored by a worker, one round after another; and their draft."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from contest.infra.job_queue import Job


class RoundImport(Job):
    """The uploaded files, the result of their check, and how many rounds are stored."""

    class State(models.TextChoices):
        CHECKING = "checking"
        CHECKED = "checked"
        STORING = "storing"
        RATING = "rating"
        DONE = "done"
        FAILED = "failed"
        UNDOING = "undoing"
        UNDONE = "undone"

    data = models.BinaryField(default=b"")  # a ZIP of the files, until they are imported or refused
    language = models.CharField(max_length=10)
    state = models.CharField(max_length=8, choices=State, default=State.CHECKING)
    rounds: Any = models.JSONField(default=list)  # `incoming.ImportedRound` of each
    faults: Any = models.JSONField(default=list)  # sentences in *language*
    # The rounds that are checked, or imported; while the files are being read nobody knows of how many.
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar[models.Manager["RoundImport"]] = models.Manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["id"],
                condition=Q(state__in=["checking", "storing", "rating", "undoing"]),
                name="round_import_queue",
            ),
        ]

    def __str__(self) -> str:
        return f"import {self.pk}"

    @property
    def is_busy(self) -> bool:
        """True if a worker still has to process it."""
        return self.state in (self.State.CHECKING, self.State.STORING, self.State.RATING, self.State.UNDOING)

    @property
    def is_importable(self) -> bool:
        """True if the check found no fault and nothing is imported yet."""
        return self.state == self.State.CHECKED and not self.faults

    @property
    def is_unstarted(self) -> bool:
        """True while it can be cancelled without a trace."""
        return self.is_importable or self.state == self.State.CHECKING

    @property
    def has_report(self) -> bool:
        """True if it is checked, or has found faults."""
        return bool(self.faults) or not self.is_busy

    @property
    def is_undoable(self) -> bool:
        """True if rounds were imported, and not all of them were removed."""
        return self.state in (self.State.DONE, self.State.FAILED) and self.done > 0

    @property
    def is_unfinished(self) -> bool:
        """True if it ended before its last round was imported."""
        return self.state == self.State.DONE and self.done < self.total


class ImportDraft(models.Model):
    """The files and choices of an organiser who imports the archive of a club by steps (`archive.imports.guide`)."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="import_draft")
    data = models.BinaryField(default=b"")  # a ZIP of the files
    choices: Any = models.JSONField(default=dict)  # `guide.Choices`
    changed_at = models.DateTimeField()

    objects: ClassVar[models.Manager["ImportDraft"]] = models.Manager()

    def __str__(self) -> str:
        return f"draft of an import by {self.owner}"
