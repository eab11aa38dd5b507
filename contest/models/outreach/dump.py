"""Public bulk data, exported once a night and stored for some nights (docs/reference/api.md, Keep a copy)."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models


class DumpQuerySet(models.QuerySet["Dump"]):
    def complete(self) -> Self:
        return self.exclude(made_at=None)

    def stale(self, before: datetime) -> Self:
        """Dumps begun before *before* and never finished: the process that made them was killed."""
        return self.filter(made_at=None, begun_at__lt=before)


class Dump(models.Model):
    """All public data of one night. The row is created first, so that no other process makes the same dump."""

    night = models.DateField(unique=True)
    begun_at = models.DateTimeField()
    made_at = models.DateTimeField(null=True)
    # Public facts when it was begun (`visibility.public_facts`): it is offered while all of them are still public.
    facts: Any = models.JSONField()

    objects: ClassVar[models.Manager["Dump"]] = models.Manager.from_queryset(DumpQuerySet)()

    class Meta:
        ordering = ["-night"]

    def __str__(self) -> str:
        return self.night.isoformat()


class DumpFile(models.Model):
    """A file of a dump, as it is sent: its size and SHA-256 are of the compressed bytes."""

    dump = models.ForeignKey(Dump, models.CASCADE, related_name="files")
    name = models.CharField(max_length=40)
    lines = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, default="")

    objects: ClassVar[models.Manager["DumpFile"]] = models.Manager()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["dump", "name"], name="dump_file_once")]

    def __str__(self) -> str:
        return f"{self.dump} {self.name}"


class DumpPiece(models.Model):
    """A chunk of a file, so that neither writer nor reader holds a whole file in memory."""

    file = models.ForeignKey(DumpFile, models.CASCADE, related_name="pieces")
    place = models.PositiveIntegerField()
    content = models.BinaryField()

    objects: ClassVar[models.Manager["DumpPiece"]] = models.Manager()

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["file", "place"], name="dump_piece_once")]

    def __str__(self) -> str:
        return f"{self.file} {self.place}"
