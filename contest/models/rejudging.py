"""A named act of judging again (rule 6.13): computed, looked at, then applied or cancelled as one."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from contest.models.submission import Submission


class Rejudging(models.Model):
    """A set of submissions judged again by one engine; nothing has changed before it is applied."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    engine_version = models.PositiveIntegerField()
    # Which submissions: {"round": number, "slot": …}, either may be missing; empty: all.
    chosen = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Rejudging"]] = models.Manager()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name


class Rejudged(models.Model):
    """What judging a submission again gave; only where it differs from its verdict does applying change anything."""

    rejudging = models.ForeignKey(Rejudging, models.CASCADE, related_name="rows")
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="+")
    levels_digest = models.CharField(max_length=64)
    # The columns of a verdict by name, the level by its key.
    before = models.JSONField()
    after = models.JSONField()
    lurd = models.TextField(blank=True)
    differs = models.BooleanField()

    objects: ClassVar[models.Manager["Rejudged"]] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rejudging", "submission"], name="rejudged_once_in_a_rejudging"),
        ]

    def __str__(self) -> str:
        return f"{self.rejudging}: {self.submission}"
