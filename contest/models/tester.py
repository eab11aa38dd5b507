"""Testers: players who try a round before it opens and may not enter it (rule 4.14)."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from contest.models.level import Slot
from contest.models.player import Player
from contest.models.round import Round
from contest.models.submission import Verdict


class TesterQuerySet(models.QuerySet["Tester"]):
    def bound(self) -> Self:
        """Return testers who agreed, even if their access has ended: they may not enter the round."""
        return self.exclude(agreed_at=None)


class Tester(models.Model):
    """A player's account that an organiser appointed to try a round before it opens (rule 4.14)."""

    __test__ = False  # pytest would collect the class by its name

    # Null: the draft was deleted; which levels were seen is still recorded.
    round = models.ForeignKey(Round, models.SET_NULL, null=True, related_name="testers")
    # Null: the account is closed; its names stay bound.
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tests")
    # Names proved by a browser of theirs or known to the organisers, besides those the account owns.
    names = models.ManyToManyField(Player, related_name="tests")
    # Further names that they claim: anybody could claim a name, so these are not bound.
    told = models.ManyToManyField(Player, related_name="+")
    named_at = models.DateTimeField()
    agreed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)  # their access has ended
    seen = models.JSONField(default=list)  # the keys of the levels they looked at

    objects: ClassVar[models.Manager["Tester"]] = models.Manager.from_queryset(TesterQuerySet)()

    class Meta:
        ordering = ["named_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "account"], name="tester_once_a_round")]

    def __str__(self) -> str:
        return ", ".join(str(name) for name in self.names.all())


class TestEntry(models.Model):
    """The verdict on a tester's moves: no submission is created, and the moves are not stored (rule 4.14)."""

    __test__ = False

    tester = models.ForeignKey(Tester, models.CASCADE, related_name="entries")
    slot = models.CharField(max_length=8, choices=Slot)
    sha256 = models.CharField(max_length=64)  # of the level at that time
    verdict = models.CharField(_("verdict"), max_length=12, choices=Verdict)
    moves = models.PositiveIntegerField(null=True)
    pushes = models.PositiveIntegerField(null=True)
    sent_at = models.DateTimeField()

    objects: ClassVar[models.Manager["TestEntry"]] = models.Manager()

    class Meta:
        ordering = ["-sent_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.slot}: {self.verdict}"
