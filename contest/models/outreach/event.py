"""What happened, for everybody who follows the contest, in one order (docs/api.md)."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from contest.models.outreach.post import Post
from contest.models.round import Round
from contest.models.ruling import Note
from contest.models.submission import Submission


class EventManager(models.Manager["Event"]):
    """Events, and the one way for an act to tell of itself."""

    def write(self, kind: "Event.Kind", key: object, at: datetime, **about: Any) -> None:
        """Tell once, in the act's own transaction, that something happened: neither stands without the other.

        *key*: of what, and where it may happen again, with the instant.
        """
        self.bulk_create([Event(kind=kind, key=str(key), at=at, **about)], ignore_conflicts=True)


class Event(models.Model):
    """One thing that happened; who and what is filled in when it is read, so that renames and erasure hold.

    It gets its number once its transaction is through: whoever has read up to a number misses nothing below it.
    """

    class Kind(models.TextChoices):
        ANNOUNCED = "announced"
        OPENED = "opened"
        CLOSED = "closed"
        REVEALED = "revealed"
        FINAL = "final"
        REVISED = "revised"
        CANCELLED = "cancelled"
        POSTPONED = "postponed"
        VOID = "void"
        REJUDGED = "rejudged"
        NOTE = "note"
        ACCEPTED = "accepted"
        BEST = "best"
        POST = "post"

    number = models.BigIntegerField(null=True, unique=True)
    kind = models.CharField(max_length=9, choices=Kind)
    # What it is told of, once: a round's number, a submission's, …
    key = models.CharField(max_length=60)
    # By the rules: an opening happens at its time, whenever somebody noticed.
    at = models.DateTimeField()
    round = models.ForeignKey(Round, models.CASCADE, null=True, related_name="+", db_index=False)
    submission = models.ForeignKey(Submission, models.CASCADE, null=True, related_name="+", db_index=False)
    note = models.ForeignKey(Note, models.CASCADE, null=True, related_name="+", db_index=False)
    post = models.ForeignKey(Post, models.CASCADE, null=True, related_name="+", db_index=False)
    revision = models.PositiveIntegerField(null=True)  # of the results
    by = models.CharField(max_length=8, blank=True)  # the ranking of a new best

    objects: ClassVar[EventManager] = EventManager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="event_told_once")]
        indexes = [models.Index(fields=["at", "id"], condition=Q(number=None), name="event_unnumbered")]

    def __str__(self) -> str:
        return f"{self.number}: {self.kind} {self.key}"
