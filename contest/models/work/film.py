"""Animations of replays: rendered on demand by a worker, stored while they are used (docs/reference/sharing.md)."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from contest.infra.job_queue import Job
from contest.models.submission import Submission


class FilmKind(models.TextChoices):
    GIF = "gif", "GIF"
    PNG = "png", "APNG"


class FilmState(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("being drawn")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class FilmQuerySet(models.QuerySet["Film"]):
    def waiting(self) -> Self:
        return self.filter(state__in=[FilmState.QUEUED, FilmState.RUNNING])

    def without_picture(self) -> Self:
        return self.defer("picture")


class Film(Job):
    """One animation. The row holds the job, its progress and finally the file itself."""

    # Digest of the board, the moves and the format: requests for the same film share one row.
    key = models.CharField(max_length=64, unique=True)
    submission = models.ForeignKey(Submission, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=4, choices=FilmKind)
    state = models.CharField(max_length=8, choices=FilmState, default=FilmState.QUEUED)
    frames_done = models.PositiveIntegerField(default=0)
    frames = models.PositiveIntegerField(default=0)
    picture = models.BinaryField(null=True)
    size = models.PositiveIntegerField(default=0)
    # A keyed hash of the network that asked, while the film waits.
    network = models.CharField(max_length=32, default="", db_default="", blank=True, editable=False)
    asked_at = models.DateTimeField()
    used_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Film"]] = models.Manager.from_queryset(FilmQuerySet)()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state=FilmState.DONE, picture__isnull=False) | ~Q(state=FilmState.DONE) & Q(picture=None),
                name="film_done_has_picture",
            ),
        ]
        indexes = [
            models.Index(
                fields=["asked_at"], condition=Q(state__in=[FilmState.QUEUED, FilmState.RUNNING]), name="film_queue"
            ),
            # For the number of films that a network has ahead of each.
            models.Index(
                fields=["network", "id"],
                condition=Q(state__in=[FilmState.QUEUED, FilmState.RUNNING]),
                name="film_of_network",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.submission}"

    @property
    def is_waiting(self) -> bool:
        return self.state in (FilmState.QUEUED, FilmState.RUNNING)

    @property
    def is_done(self) -> bool:
        return self.state == FilmState.DONE
