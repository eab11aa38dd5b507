"""Acts of organisers that a worker carries out in batches, because they change many rows."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext_lazy as _

from contest.infra.job_queue import Job
from contest.models.player import Player
from contest.models.rejudging import Rejudging
from contest.models.round import Round


class LongActQuerySet(models.QuerySet["LongAct"]):
    def ask(self, kind: "LongAct.Kind", by: User | AnonymousUser | None, at: datetime, **fields: Any) -> "LongAct":
        """Create the row of an act, whose report is in the language of the request."""
        user = by if isinstance(by, User) else None
        return self.create(kind=kind, asked_by=user, asked_at=at, language=get_language() or "en", **fields)

    def unended(self) -> Self:
        """Return the acts that are partly carried out."""
        return self.filter(state__in=UNENDED)

    def of_player(self, player: Player) -> Self:
        return self.filter(Q(source=player) | Q(target=player))

    def touching(self, round_: Round) -> Self:
        """Return the acts that change verdicts or players of the round's submissions."""
        sent = round_.submissions.order_by()
        players = Q(source__in=sent.values("player")) | Q(target__in=sent.values("player"))
        rejudged = Q(rejudging__rows__differs=True, rejudging__rows__submission__round=round_)
        return self.filter(pk__in=LongAct.objects.filter(players | rejudged).order_by().values("pk"))


class LongAct(Job):
    """One act with its progress and report (`organising.long_acts`)."""

    class Kind(models.TextChoices):
        REJUDGE = "rejudge", _("Apply a rejudging")
        MERGE = "merge", _("Merge two names")
        UNMERGE = "unmerge", _("Undo a merge")
        REVISE = "revise", _("Revise results")
        RATE = "rate", _("Compute ratings")

    class State(models.TextChoices):
        DOING = "doing"
        CLOSING = "closing"  # every change is made: it is being recorded, and cannot be cancelled
        UNDOING = "undoing"
        DONE = "done"
        UNDONE = "undone"
        FAILED = "failed"

    kind = models.CharField(max_length=8, choices=Kind)
    state = models.CharField(max_length=8, choices=State, default=State.DOING)
    rejudging = models.ForeignKey(Rejudging, models.CASCADE, null=True, related_name="acts")
    # Of a merge: the name, and the player it is merged into.
    source = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    target = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    given: Any = models.JSONField(default=dict)  # the reason, and what else the steps need
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    report: Any = models.JSONField(default=list)  # sentences in *language*
    language = models.CharField(max_length=10)
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["LongAct"]] = models.Manager.from_queryset(LongActQuerySet)()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(kind__in=["rejudge", "revise", "rate"])
                & Q(state__in=["doing", "closing", "undoing", "failed"]),
                name="long_act_one_of_its_kind",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(state__in=["doing", "closing", "undoing"]), name="long_act_queue"),
        ]

    def __str__(self) -> str:
        about = f"{self.source} → {self.target}" if self.source else self.rejudging
        kind = self.get_kind_display()
        return f"{kind}{pgettext('punctuation', ': ')}{about}" if about else kind

    @property
    def reason(self) -> str:
        """The reason that organisers read; a public one is on the pages of the rounds."""
        reason = self.given.get("reason")
        return reason if isinstance(reason, str) else ""

    @property
    def is_busy(self) -> bool:
        """True if a worker still has to work on it."""
        return self.state in BUSY

    @property
    def is_unended(self) -> bool:
        """True if it is partly carried out."""
        return self.state in UNENDED

    @property
    def is_being_undone(self) -> bool:
        """True from the moment that it turned back."""
        return bool(self.given.get("undoing"))

    @property
    def can_be_cancelled(self) -> bool:
        """True if an organiser can end it early.

        Not ratings, which must be complete, nor what undoes another act, nor a rejudging with published events.
        """
        is_late = self.is_being_undone or self.given.get("recorded")
        is_open = self.state in (self.State.DOING, self.State.FAILED) and not is_late
        return is_open and self.kind in (self.Kind.REJUDGE, self.Kind.MERGE, self.Kind.REVISE)


BUSY = (LongAct.State.DOING, LongAct.State.CLOSING, LongAct.State.UNDOING)
UNENDED = (*BUSY, LongAct.State.FAILED)
