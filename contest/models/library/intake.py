"""Collections that organisers upload: read in the background, selected from, and added to the library."""

from functools import cached_property
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.infra.job_queue import Job
from contest.models.library.level_library import LibraryLevel
from solvers import sokoban
from solvers.sokoban.formats import Stated


class Intake(Job):
    """A collection that an organiser has uploaded and is selecting from."""

    class State(models.TextChoices):
        READING = "reading", pgettext_lazy("collection", "being read")
        READ = "read", pgettext_lazy("collection", "read")
        KEEPING = "keeping", pgettext_lazy("collection", "going into the library")
        PUBLISHING = "publish", pgettext_lazy("collection", "being published")
        STOPPED = "stopped", pgettext_lazy("collection", "stopped")
        FAILED = "failed", pgettext_lazy("collection", "unreadable")

    BUSY = (State.READING, State.KEEPING, State.PUBLISHING)  # a worker still has to process it

    name = models.CharField(max_length=200, blank=True)
    data = models.BinaryField(default=b"")  # the upload, compressed, until it is read
    # How the organiser said it is to be read; empty: decided by the file.
    encoding = models.CharField(max_length=20, blank=True)
    names = models.CharField(max_length=5, blank=True)  # above or below their boards
    alphabet = models.CharField(max_length=10, blank=True)
    remarks: Any = models.JSONField(default=list)  # of its reading: code, line, values
    state = models.CharField(max_length=8, choices=State, default=State.READING)
    lines = models.PositiveIntegerField(default=1)
    at_line = models.PositiveIntegerField(default=0)
    taken = models.PositiveIntegerField(default=0)  # boards found so far, readable or not
    unread = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    # Values for the selected levels when they are added to the library: tags, rights, is_confirmed; the plan to queue
    # them and its outcome; the collection as which they are published; the state in which workers gave it up.
    labels: Any = models.JSONField(default=dict)
    brought_at = models.DateTimeField()
    brought_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    objects: ClassVar[models.Manager["Intake"]] = models.Manager()

    def __str__(self) -> str:
        return self.name or str(self.pk)

    @property
    def stated(self) -> Stated:
        """Return the organiser's choices, for the readers of files."""
        return Stated(self.encoding, {"above": True, "below": False}.get(self.names), self.alphabet)

    @property
    def is_busy(self) -> bool:
        return self.state in self.BUSY

    @property
    def percent(self) -> int:
        """Percentage of its lines that have been read."""
        return min(100, self.at_line * 100 // max(self.lines, 1))


class IntakeLevel(models.Model):
    """A board of a collection, with the result of the publication check and whether it was selected."""

    class Standing(models.TextChoices):
        READY = "ready", pgettext_lazy("level of a collection", "ready")
        WARNED = "warned", pgettext_lazy("level of a collection", "with warnings")
        UNSOLVED = "unsolved", pgettext_lazy("level of a collection", "without a solution")
        FAULTY = "faulty", pgettext_lazy("level of a collection", "faulty")
        UNREAD = "unread", pgettext_lazy("level of a collection", "unreadable")

    intake = models.ForeignKey(Intake, models.CASCADE, related_name="levels")
    place = models.PositiveIntegerField()  # counted from 1
    title = models.CharField(max_length=200, blank=True)
    author = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True)  # rows joined by |; empty if it could not be read
    solution = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    key = models.CharField(max_length=64, blank=True)
    width = models.PositiveSmallIntegerField(default=0)
    height = models.PositiveSmallIntegerField(default=0)
    boxes = models.PositiveSmallIntegerField(default=0)
    standing = models.CharField(max_length=8, choices=Standing)
    # Already in a round, in the library or earlier in this collection, under any rotation or reflection.
    is_known = models.BooleanField(default=False)
    # Problems from the publication check, or the parse error of an unreadable board: codes and numbers, never text.
    problems: Any = models.JSONField(default=list)
    is_wanted = models.BooleanField(default=False)
    kept_as = models.ForeignKey(LibraryLevel, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar[models.Manager["IntakeLevel"]] = models.Manager()

    class Meta:
        ordering = ["intake", "place"]
        verbose_name = _("level of a collection")
        verbose_name_plural = _("levels of collections")
        constraints = [models.UniqueConstraint(fields=["intake", "place"], name="intake_one_level_a_place")]
        indexes = [
            models.Index(fields=["intake", "standing"], name="intake_by_standing"),
            models.Index(fields=["intake", "key"], name="intake_by_key"),
        ]

    def __str__(self) -> str:
        return self.title or f"{self.place}"

    @cached_property
    def board(self) -> sokoban.Level:
        """The board to draw; only if it was read."""
        return sokoban.Level.parse(self.text)
