"""Email updates: subscribers, mailings, and one row for each letter to a subscriber."""

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


# Topic of the letter that asks an address to confirm its subscription.
CONFIRMING = "confirming"


class SubscriberQuerySet(models.QuerySet["Subscriber"]):
    def wanting(self, topic: str) -> Self:
        """Confirmed subscribers of *topic* at addresses that still accept mail."""
        return self.exclude(confirmed_at=None).filter(stopped_at=None, **{f"wants_{topic}": True})


class Subscriber(models.Model):
    """An address that gets letters once its owner has confirmed it. The row is deleted when the owner unsubscribes."""

    email = models.EmailField(unique=True)  # canonical; shown to its owner only (rule 4.7)
    wants_opening = models.BooleanField(default=False)
    wants_closing = models.BooleanField(default=False)
    wants_results = models.BooleanField(default=False)
    wants_news = models.BooleanField(default=False)
    wants_bell = models.BooleanField(default=False)
    language = models.CharField(max_length=10, choices=settings.LANGUAGES)
    # Random; the links in letters carry a signature over it.
    key = models.CharField(max_length=32, unique=True)
    asked_at = models.DateTimeField()
    asked = models.PositiveSmallIntegerField(default=0)  # requests since the last confirmation
    confirmed_at = models.DateTimeField(null=True)
    # A keyed hash of the network that asked, until the owner confirms.
    network = models.CharField(max_length=32, default="", db_default="", blank=True, editable=False)
    # Consecutive permanent delivery failures; after a few, sending stops.
    failures = models.PositiveSmallIntegerField(default=0)
    stopped_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Subscriber"]] = models.Manager.from_queryset(SubscriberQuerySet)()

    def __str__(self) -> str:
        return f"subscriber {self.pk}"

    @property
    def topics(self) -> list[str]:
        return [topic for topic in Topic.values if getattr(self, f"wants_{topic}")]


class Mailing(models.Model):
    """One message, sent once to every subscriber of its topic."""

    topic = models.CharField(max_length=12, choices=[*Topic.choices, (CONFIRMING, CONFIRMING)])
    # The subject, so that the same message is never sent twice.
    key = models.CharField(max_length=60)
    round = models.ForeignKey(Round, models.CASCADE, null=True, related_name="+")
    post = models.ForeignKey(Post, models.CASCADE, null=True, related_name="mailings")
    made_at = models.DateTimeField()
    # Letters that are still unsent then are dropped.
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
        """Letters to send now: not expired, to addresses that accept mail."""
        taking = Q(subscriber__confirmed_at__isnull=False, subscriber__stopped_at=None)
        # A confirmation is sent even to a stopped address: it may accept mail again.
        wanted = taking | Q(mailing__topic=CONFIRMING)
        return self.waiting().filter(wanted, mailing__expires_at__gt=at, next_try_at__lte=at)


class Letter(Job):
    """One letter to one address; the row is the queue, and its state changes by compare-and-set."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"
        # Interrupted between handing it over and the mail server's reply: never sent again, because it may have
        # arrived. If its worker does return, it writes the true state.
        DOUBTFUL = "doubtful"
        EXPIRED = "expired"

    mailing = models.ForeignKey(Mailing, models.CASCADE, related_name="letters")
    subscriber = models.ForeignKey(Subscriber, models.CASCADE, related_name="letters")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    is_urgent = models.BooleanField(default=False)
    next_try_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    # The code of the mail server's last reply, without its text, which may contain the address.
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
