"""Named rejudging (rule 6.13): computed, reviewed, then applied or cancelled as a whole."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from contest.models.submission import Submission


class Rejudging(models.Model):
    """A set of submissions judged again by one engine; verdicts change only when it is applied."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    engine_version = models.PositiveIntegerField()
    # The selected submissions: {"round": number, "slot": …}, either key is optional; empty for all.
    chosen = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Rejudging"]] = models.Manager()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name


class Rejudged(models.Model):
    """The outcome of rejudging a submission; applying it changes only rows that differ."""

    rejudging = models.ForeignKey(Rejudging, models.CASCADE, related_name="rows")
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="+")
    levels_digest = models.CharField(max_length=64)
    # The columns of a verdict by name; the level as its key.
    before = models.JSONField()
    after = models.JSONField()
    lurd = models.TextField(blank=True)
    differs = models.BooleanField()
    # The moves and the time of the old verdict, once the new one is written; None before.
    lurd_before = models.TextField(null=True)  # noqa: DJ001 - null is "not written", not ""
    judged_before = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Rejudged"]] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rejudging", "submission"], name="rejudged_once_in_a_rejudging"),
        ]

    def __str__(self) -> str:
        return f"{self.rejudging}: {self.submission}"
