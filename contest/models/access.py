"""Programs: their tokens, and who wants to be told (docs/api.md)."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from contest.infra.job_queue import Job
from contest.models.player import Player


class Scope(models.TextChoices):
    SUBMIT = "submit", _("submit solutions")
    READ = "read", _("read what its player may read")


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self, at: datetime) -> Self:
        return self.filter(revoked_at=None).exclude(expires_at__lte=at)


class Token(models.Model):
    """A bot's key: `leitai_<public id>_<secret>`. Only the secret's SHA-256 is kept."""

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


class Webhook(models.Model):
    """An address of a player's that wants to be told of events."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=500)
    secret = models.CharField(max_length=64)
    events: Any = models.JSONField(default=list)
    created_at = models.DateTimeField()
    disabled_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Webhook"]] = models.Manager()

    def __str__(self) -> str:
        return self.url


class Delivery(Job):
    """One event for one webhook, written in the transaction that made the event; sent until it was taken."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    # What the event is about, so that the same one is never written twice.
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
