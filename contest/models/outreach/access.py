"""Programs: their tokens, and webhooks that notify them (docs/reference/api.md)."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from contest.infra.job_queue import Job
from contest.models.player import Player
from contest.models.round import Round


class Scope(models.TextChoices):
    SUBMIT = "submit", _("submit solutions")
    READ = "read", _("read what its player may read")
    WEBHOOKS = "webhooks", _("make and end its player's webhooks")


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self, at: datetime) -> Self:
        return self.filter(revoked_at=None).exclude(expires_at__lte=at)


class Token(models.Model):
    """A bot's key: `leitai_<public id>_<secret>`. Only the secret's SHA-256 is stored."""

    public_id = models.CharField(max_length=16, unique=True)
    sha256 = models.CharField(max_length=64)
    player = models.ForeignKey(Player, models.CASCADE, related_name="tokens")
    name = models.CharField(_("what it is for"), max_length=100, blank=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    per_minute = models.PositiveIntegerField(null=True)  # null: the site's limit (rule 5.9)

    objects: ClassVar[models.Manager["Token"]] = models.Manager.from_queryset(TokenQuerySet)()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"leitai_{self.public_id}_…"


class DeskTokenQuerySet(models.QuerySet["DeskToken"]):
    def valid(self, at: datetime) -> Self:
        return self.filter(revoked_at=None, expires_at__gt=at)


class DeskToken(models.Model):
    """An organiser's key for programs: `desk_<public id>_<secret>`. Only the secret's SHA-256 is stored."""

    public_id = models.CharField(max_length=16, unique=True)
    sha256 = models.CharField(max_length=64)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="desk_tokens")
    name = models.CharField(_("what it is for"), max_length=100, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    # The site's limit applies (rule 5.9).
    per_minute = None

    objects: ClassVar[models.Manager["DeskToken"]] = models.Manager.from_queryset(DeskTokenQuerySet)()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"desk_{self.public_id}_…"


class CalendarAddress(models.Model):
    """The private address of a staff member's calendar; the signed key is in the URL."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="calendar_address")
    key = models.CharField(max_length=32, unique=True)
    made_at = models.DateTimeField()

    objects: ClassVar[models.Manager["CalendarAddress"]] = models.Manager()

    def __str__(self) -> str:
        return f"{self.user}"


class PreparedRound(models.Model):
    """A draft that a program has prepared: an organiser publishes it on the desk, or does not."""

    round = models.OneToOneField(Round, models.CASCADE, related_name="prepared")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    objects: ClassVar[models.Manager["PreparedRound"]] = models.Manager()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return str(self.round)


class Webhook(models.Model):
    """A player's URL that is notified of events."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=500)
    secret = models.CharField(max_length=64)
    # Of the pages that deliveries link to: the one in which it was created.
    language = models.CharField(max_length=10, default="zh-hans")
    events: Any = models.JSONField(default=list)
    # The number of the last event it was notified of.
    told = models.BigIntegerField(default=0)
    created_at = models.DateTimeField()
    disabled_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Webhook"]] = models.Manager()

    def __str__(self) -> str:
        return self.url


class Delivery(Job):
    """One event for one webhook, written in the event's own transaction; retried until the receiver accepts it."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    # The number of the event, so that the same delivery is never created twice.
    key = models.CharField(max_length=100)
    body = models.JSONField()
    created_at = models.DateTimeField()
    next_try_at = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)
    last_answer = models.CharField(max_length=200, blank=True)

    objects: ClassVar[models.Manager["Delivery"]] = models.Manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "event", "key"], name="delivery_once")]
        indexes = [
            models.Index(fields=["next_try_at"], condition=models.Q(delivered_at=None), name="delivery_due"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.key}"
