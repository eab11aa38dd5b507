"""Certificates: proofs by the solver that anybody can check without it (docs/reference/certificates.md)."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models.level import Level
from contest.models.library.collection import CollectedLevel
from contest.models.result import Best, Board
from contest.models.work.search import Search


class CertificateKind(models.TextChoices):
    """Kinds of proofs; that of a count has the value of its `Metric`."""

    PUSHES = "pushes", _("optimal by pushes")
    MOVES = "moves", _("optimal by moves")
    UNSOLVABLE = "unsolvable", pgettext_lazy("search", "proved unsolvable")


class CertificateQuerySet(models.QuerySet["Certificate"]):
    def beaten(self) -> Self:
        """Certificates of optima that a counted result beats: impossible unless solver and checker are wrong."""
        known = Best.objects.filter(
            level=OuterRef("search__level"), metric=OuterRef("kind"), first__lt=OuterRef("number")
        )
        collected = Q(kind="moves", search__collected__best_moves__lt=F("number"))
        collected |= Q(kind="pushes", search__collected__best_pushes__lt=F("number"))
        return self.filter(Exists(known.filter(board__in=(Board.CONTEST, Board.PRACTICE)).order_by()) | collected)


class Certificate(models.Model):
    """The certificate of a search's own board, accepted by the checker before it was stored.

    Without *content* the proof is true, and its certificate too large or too slow to write.
    """

    search = models.ForeignKey(Search, models.CASCADE, related_name="certificates")
    kind = models.CharField(max_length=10, choices=CertificateKind)
    number = models.PositiveIntegerField(null=True)
    content = models.BinaryField(blank=True)
    size = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    engine = models.CharField(max_length=20)
    made_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Certificate"]] = models.Manager.from_queryset(CertificateQuerySet)()

    class Meta:
        ordering = ["-pk"]
        verbose_name = pgettext_lazy("proof", "certificate")
        verbose_name_plural = pgettext_lazy("proof", "certificates")
        constraints = [models.UniqueConstraint(fields=["search", "kind"], name="certificate_once")]

    def __str__(self) -> str:
        return f"{self.search} · {self.get_kind_display()} {self.number or ''}".rstrip()

    @property
    def level(self) -> Level | CollectedLevel:
        """The level of a round or collection. Raise ValueError for a vetting, which is of neither."""
        level = self.search.level or self.search.collected
        if level is None:
            raise ValueError("A vetting is of no level.")
        return level

    @property
    def kilobytes(self) -> int:
        return -(-self.size // 1024)
