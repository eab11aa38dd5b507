"""Rulings of the organisers, and the audit record of their actions (rules 3.7, 15)."""

from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from contest.models.player import Player
from contest.models.round import Round


class DisqualificationQuerySet(models.QuerySet["Disqualification"]):
    def standing(self) -> Self:
        return self.filter(lifted_at=None)

    def entrants(self) -> "models.QuerySet[Disqualification, Any]":
        """Return the keys of the disqualified players, under their names after merging (rule 4.13)."""
        return self.values_list(Coalesce("player__merged_into", "player"), flat=True)


class Disqualification(models.Model):
    """Rule 15.2: while it is in force, nothing of the player counts in the round."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="disqualifications")
    player = models.ForeignKey(Player, models.PROTECT, related_name="disqualifications")
    reason_zh = models.CharField(max_length=500, blank=True)
    reason_en = models.CharField(max_length=500, blank=True)
    note = models.TextField(blank=True)
    ruled_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True)
    lift_reason = models.CharField(max_length=500, blank=True)

    objects: ClassVar[models.Manager["Disqualification"]] = models.Manager.from_queryset(DisqualificationQuerySet)()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "player"], condition=Q(lifted_at=None), name="disqualification_one_standing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.player}"


class Note(models.Model):
    """A public note of the organisers on a round: extended, made up, a slot void, revised (rules 2.10, 3.7, 3.10)."""

    class Kind(models.TextChoices):
        EXTENDED = "extended", _("extended")
        MAKE_UP = "make_up", _("make-up window")
        SLOT_VOID = "slot_void", _("level void")
        CANCELLED = "cancelled", _("cancelled")
        REVISED = "revised", _("results revised")

    round = models.ForeignKey(Round, models.PROTECT, related_name="notes")
    kind = models.CharField(max_length=12, choices=Kind)
    text_zh = models.CharField(max_length=1_000, blank=True)
    text_en = models.CharField(max_length=1_000, blank=True)
    # The change: {"before": time, "after": time} for an extension, {"slot": …} for a void level.
    values = models.JSONField(default=dict)
    written_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Note"]] = models.Manager()

    class Meta:
        ordering = ["written_at", "pk"]

    def __str__(self) -> str:
        return f"{self.round}: {self.get_kind_display()}"


class SecondLookQuerySet(models.QuerySet["SecondLook"]):
    def waiting(self) -> Self:
        return self.filter(ended_at=None)

    def touching(self, round_: Round) -> Self:
        """Return the requests about *round_*, a submission to it, a player in it or a rejudging that changes it."""
        about = Q(round=round_) | Q(submission__round=round_) | Q(player__submissions__round=round_)
        merged = Q(player__merged_into__submissions__round=round_)
        rejudged = Q(rejudging__rows__differs=True, rejudging__rows__submission__round=round_)
        return self.filter(pk__in=SecondLook.objects.filter(about | merged | rejudged).order_by().values("pk"))

    def sent_back_to(self, user: Any) -> Self:
        """Return the requests of *user* that were sent back with a reason not marked as read."""
        return self.filter(asked_by=user, seen_at=None).exclude(answer="")


class SecondLook(models.Model):
    """An action that waits for a second organiser, as the first one filled it in (rule 15.7).

    It is about a round, a submission, a player or a rejudging; if about none, it revises all rounds that need it.
    """

    round = models.ForeignKey(Round, models.PROTECT, null=True, related_name="second_looks")
    submission = models.ForeignKey("contest.Submission", models.PROTECT, null=True, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    rejudging = models.ForeignKey("contest.Rejudging", models.CASCADE, null=True, related_name="+")
    act = models.CharField(max_length=40)
    given = models.JSONField()  # the fields of the action's form, as submitted
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField()
    reminded_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)  # confirmed, withdrawn or sent back; the audit record has which
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    answer = models.CharField(max_length=500, default="", db_default="", blank=True)  # why it was sent back
    seen_at = models.DateTimeField(null=True)  # when the requester marked the answer as read

    objects: ClassVar[models.Manager["SecondLook"]] = models.Manager.from_queryset(SecondLookQuerySet)()

    class Meta:
        ordering = ["asked_at", "pk"]
        indexes = [models.Index(fields=["round"], condition=Q(ended_at=None), name="second_look_waiting")]

    def __str__(self) -> str:
        return f"{self.about or 'rounds'}: {self.act}"

    @property
    def about(self) -> Any:
        """Return the row that the action changes, or None."""
        return self.rejudging or self.player or self.submission or self.round

    @property
    def track(self) -> str | None:
        """Return the slug of the track that the request belongs to, or None."""
        round_ = self.round or (self.submission and self.submission.round)
        return round_.track_id if round_ else None


class AuditEntry(models.Model):
    """Actor, time, action, target and reason; the state before and after (rule 15.3). Never changed, never deleted."""

    at = models.DateTimeField(_("at"))
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(_("who"), max_length=150, blank=True)
    act = models.CharField(_("act"), max_length=40)
    target = models.CharField(_("target"), max_length=80)  # "round 7", "player 12", "submission 345"
    reason = models.TextField(_("reason"), blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    objects: ClassVar[models.Manager["AuditEntry"]] = models.Manager()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        indexes = [models.Index(fields=["target", "-at"], name="audit_target")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name}: {self.act} {self.target}"
