"""Email updates: who wants them, what is told, and one row for each letter to each of them."""

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from contest.infra.job_queue import Job
from contest.models.outreach.post import Post
from contest.models.round import Round


class Topic(models.TextChoices):
    OPENING = "opening", _("a round has opened")
    CLOSING = "closing", _("a round closes in 24 hours")
    RESULTS = "results", _("results are final")
    NEWS = "news", _("news of the organisers")
    BELL = "bell", _("what happened to you and to what you follow, once a day (for accounts with this address)")


# What the letter is about that asks whether an address wants any.
CONFIRMING = "confirming"


class SubscriberQuerySet(models.QuerySet["Subscriber"]):
    def wanting(self, topic: str) -> Self:
        """Those who have confirmed and want to be told, by an address that takes letters."""
        return self.exclude(confirmed_at=None).filter(stopped_at=None, **{f"wants_{topic}": True})


class Subscriber(models.Model):
    """An address that gets letters once its owner has confirmed it. Deleted, not marked, when they want no more."""

    email = models.EmailField(unique=True)  # in its canonical form; never shown to anybody but its owner (rule 4.7)
    wants_opening = models.BooleanField(default=False)
    wants_closing = models.BooleanField(default=False)
    wants_results = models.BooleanField(default=False)
    wants_news = models.BooleanField(default=False)
    wants_bell = models.BooleanField(default=False)
    language = models.CharField(max_length=10, choices=settings.LANGUAGES)
    # Random; a signature over it is what the links in letters carry.
    key = models.CharField(max_length=32, unique=True)
    asked_at = models.DateTimeField()
    asked = models.PositiveSmallIntegerField(default=0)  # how often since it was last confirmed
    confirmed_at = models.DateTimeField(null=True)
    # Letters refused for good, one after another; after a few nothing more is sent.
    failures = models.PositiveSmallIntegerField(default=0)
    stopped_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Subscriber"]] = models.Manager.from_queryset(SubscriberQuerySet)()

    def __str__(self) -> str:
        return f"subscriber {self.pk}"

    @property
    def topics(self) -> list[str]:
        return [topic for topic in Topic.values if getattr(self, f"wants_{topic}")]


class Mailing(models.Model):
    """One thing that is told, once, to everybody who wants it."""

    topic = models.CharField(max_length=12, choices=[*Topic.choices, (CONFIRMING, CONFIRMING)])
    # What it is about, so that the same is never told twice.
    key = models.CharField(max_length=60)
    round = models.ForeignKey(Round, models.CASCADE, null=True, related_name="+")
    post = models.ForeignKey(Post, models.CASCADE, null=True, related_name="mailings")
    made_at = models.DateTimeField()
    # After this nobody needs to be told any more.
    expires_at = models.DateTimeField()
    recipients = models.PositiveIntegerField(default=0)

    objects: ClassVar[models.Manager["Mailing"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["topic", "key"], name="mailing_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.key}"


class LetterQuerySet(models.QuerySet["Letter"]):
    def waiting(self) -> Self:
        return self.filter(state=Letter.State.WAITING)

    def due(self, at: datetime) -> Self:
        """Letters to be sent now: still worth it, to addresses that take them."""
        taking = Q(subscriber__confirmed_at__isnull=False, subscriber__stopped_at=None)
        # Whoever asks anew is answered: the address may take letters again.
        wanted = taking | Q(mailing__topic=CONFIRMING)
        return self.waiting().filter(wanted, mailing__expires_at__gt=at, next_try_at__lte=at)


class Letter(Job):
    """One letter to one address; the row is the queue, and its state changes by compare-and-set."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"
        # Cut off between handing it over and hearing that it was taken: never sent again, it may have arrived. Should
        # its worker come back after all, what that knows is written.
        DOUBTFUL = "doubtful"
        EXPIRED = "expired"

    mailing = models.ForeignKey(Mailing, models.CASCADE, related_name="letters")
    subscriber = models.ForeignKey(Subscriber, models.CASCADE, related_name="letters")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    is_urgent = models.BooleanField(default=False)
    next_try_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    # The code of the mail server's last answer, without its words, which may name the address.
    answer = models.CharField(max_length=40, blank=True)

    objects: ClassVar[models.Manager["Letter"]] = models.Manager.from_queryset(LetterQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["mailing", "subscriber"], name="letter_once")]
        indexes = [
            models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="letter_due"),
            models.Index(fields=["claimed_at"], name="letter_claimed"),
        ]

    def __str__(self) -> str:
        return f"{self.mailing} to {self.subscriber}"
