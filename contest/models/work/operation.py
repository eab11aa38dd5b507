"""The site's operational records: heartbeats, and times when it could not accept submissions (rule 3.10)."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Part(models.TextChoices):
    WEB = "web", _("web")
    JUDGE = "judge", _("judge")
    BACKUP = "backup", _("backup")
    ASKED = "asked", _("backup asked for")
    REACHED = "reached", _("reached")
    PRUNING = "pruning", _("pruning")


class Heartbeat(models.Model):
    """The last sign of life of a part of the site; and since when the site can be reached (first_minutes)."""

    part = models.CharField(max_length=8, choices=Part, primary_key=True)
    beat_at = models.DateTimeField()
    # Of a backup: its "bytes" and "rows", and the number of backup files including itself ("kept"). Of pruning: the
    # number of "texts" and of "bytes" in all.
    facts = models.JSONField(default=dict)

    objects: ClassVar[models.Manager["Heartbeat"]] = models.Manager()

    def __str__(self) -> str:
        return f"{self.part}: {self.beat_at.isoformat()}"


class VisitorCount(models.Model):
    """The number of visitors from a country on a day: nothing else about them is stored (stats.visitors)."""

    day = models.DateField()
    country = models.CharField(max_length=2)
    visitors = models.PositiveIntegerField()

    objects: ClassVar[models.Manager["VisitorCount"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "country"], name="visitors_counted_once")]

    def __str__(self) -> str:
        return f"{self.day} {self.country}: {self.visitors}"


class VisitorMonth(models.Model):
    """The daily counts of a finished month added up, which replace its `VisitorCount` rows (stats.visitors)."""

    month = models.DateField()  # its first day
    country = models.CharField(max_length=2)
    visitors = models.PositiveIntegerField()

    objects: ClassVar[models.Manager["VisitorMonth"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["month", "country"], name="visitors_added_up_once")]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m} {self.country}: {self.visitors}"


class FailedIntake(models.Model):
    """A series of submissions that failed on our side, with none stored between the first and the last."""

    began_at = models.DateTimeField()
    last_at = models.DateTimeField()

    objects: ClassVar[models.Manager["FailedIntake"]] = models.Manager()

    def __str__(self) -> str:
        return f"{self.began_at.isoformat()} to {self.last_at.isoformat()}"


class Outage(models.Model):
    """A span of more than five minutes in which the site could not accept submissions (rule 3.10)."""

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Outage"]] = models.Manager()

    class Meta:
        ordering = ["-began_at"]
        constraints = [
            models.CheckConstraint(condition=Q(ended_at__gt=F("began_at")), name="outage_ends_after_it_began"),
        ]

    def __str__(self) -> str:
        return f"{self.began_at.isoformat()} to {self.ended_at.isoformat()}"
