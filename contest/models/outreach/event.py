"""Public events of the contest, in one order (docs/reference/api.md)."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from contest.models.outreach.post import Post
from contest.models.round import Round
from contest.models.ruling import Note
from contest.models.submission import Submission
from contest.models.work.search import Search


class EventManager(models.Manager["Event"]):
    """Events, and the one method by which an action records its event."""

    def write(self, kind: "Event.Kind", key: object, at: datetime, **about: Any) -> None:
        """Record an event once, in the action's own transaction: both are committed, or neither.

        *key* names the subject, and also the time if the event can happen again.
        """
        self.bulk_create([Event(kind=kind, key=str(key), at=at, **about)], ignore_conflicts=True)


class Event(models.Model):
    """One event; names and other details are filled in on reading, so that renames and erasure apply.

    Numbered only after its transaction has committed: a client that has read up to a number missed nothing below it.
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
        MACHINE = "machine"

    number = models.BigIntegerField(null=True, unique=True)
    kind = models.CharField(max_length=9, choices=Kind)
    # The subject, unique per kind: a round's number, a submission's, …
    key = models.CharField(max_length=60)
    # By the rules: an opening happens at its scheduled time, even if it is noticed later.
    at = models.DateTimeField()
    round = models.ForeignKey(Round, models.CASCADE, null=True, related_name="+", db_index=False)
    submission = models.ForeignKey(Submission, models.CASCADE, null=True, related_name="+", db_index=False)
    note = models.ForeignKey(Note, models.CASCADE, null=True, related_name="+", db_index=False)
    post = models.ForeignKey(Post, models.CASCADE, null=True, related_name="+", db_index=False)
    search = models.ForeignKey(Search, models.CASCADE, null=True, related_name="+", db_index=False)
    revision = models.PositiveIntegerField(null=True)  # of the results
    by = models.CharField(max_length=8, blank=True)  # the ranking of a new best

    objects: ClassVar[EventManager] = EventManager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="event_told_once")]
        indexes = [
            models.Index(fields=["at", "id"], condition=Q(number=None), name="event_unnumbered"),
            # Searches are deleted every day; each deletion looks here.
            models.Index(fields=["search"], condition=~Q(search=None), name="event_of_search"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.kind} {self.key}"
