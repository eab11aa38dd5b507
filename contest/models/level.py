"""A level in a slot of a round."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import ClassVar

from django.db import models
from django.db.models import Case, Q, When
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from contest.models.round import Round, check_plain
from solvers import sokoban


class Slot(models.TextChoices):
    """The slots of a round (rule 1.2), in the order in which a text that names no level is tried (rule 6.8)."""

    MAIN = "main", _("Main")
    EXTRA = "extra", _("Extra")
    EXTRA2 = "extra2", _("Extra 2")
    EXTRA3 = "extra3", _("Extra 3")


def by_slot(prefix: str = "") -> tuple[Case, str]:
    """Return `order_by` expressions for the order of rule 1.2: main first, then the others by name."""
    return Case(When(**{f"{prefix}slot": Slot.MAIN}, then=0), default=1), f"{prefix}slot"


class Level(models.Model):
    """A level as published (rule 2.3); frozen once its round has opened (rule 2.9)."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="levels", verbose_name=_("round"))
    slot = models.CharField(_("slot"), max_length=8, choices=Slot, default=Slot.MAIN)
    title = models.CharField(_("title"), max_length=200, blank=True, validators=[check_plain])
    author = models.CharField(_("author"), max_length=200, blank=True, validators=[check_plain])
    text = models.TextField(_("published text"), help_text=_("Rows joined by |, floor as -."))
    solution = models.TextField(_("organiser's solution"), help_text=_("LURD; shown to nobody before the close."))
    # Rule 2.7: why it may be published although no solution is known; empty if there is one.
    unsolved_reason = models.CharField(max_length=500, blank=True, editable=False)
    sha256 = models.CharField(max_length=64, editable=False)
    key = models.CharField(max_length=64, editable=False, db_index=True)
    width = models.PositiveSmallIntegerField(_("columns"), editable=False)
    height = models.PositiveSmallIntegerField(_("rows"), editable=False)
    boxes = models.PositiveSmallIntegerField(_("boxes"), editable=False)
    # Rule 2.10: found faulty after the opening; its submissions are stored but not ranked.
    voided_at = models.DateTimeField(null=True, blank=True, editable=False)
    void_reason_zh = models.CharField(max_length=500, blank=True, editable=False)
    void_reason_en = models.CharField(max_length=500, blank=True, editable=False)
    # Incremented by every change to a ranking of this level; caches and polling clients compare it.
    board_version = models.PositiveBigIntegerField(default=0, editable=False)

    objects: ClassVar[models.Manager["Level"]] = models.Manager()

    class Meta:
        ordering = ["round", *by_slot()]
        verbose_name = _("level")
        verbose_name_plural = _("levels")
        constraints = [
            models.UniqueConstraint(fields=["round", "slot"], name="level_one_per_slot"),
            models.CheckConstraint(condition=Q(slot__in=Slot.values), name="level_slot_known"),
        ]

    def __str__(self) -> str:
        return f"{self.round} · {self.get_slot_display()}"

    def get_absolute_url(self) -> str:
        return reverse("level", args=[self.round.number, self.slot])

    @property
    def slot_order(self) -> int:
        """The level's position among the levels of its round (rule 1.2)."""
        return Slot.values.index(self.slot)

    @property
    def gives_points(self) -> bool:
        """Return True if its ranks give points (rule 9.4)."""
        return self.slot in self.round.scoring_slots

    @cached_property
    def board(self) -> sokoban.Level:
        """The board to draw or replay."""
        return _parse(self.text)


def in_order(levels: Iterable[Level]) -> list[Level]:
    """Return the levels of a round in the order for lists and for trying texts (rules 1.2, 6.8)."""
    return sorted(levels, key=lambda level: level.slot_order)


@lru_cache(maxsize=64)
def _parse(text: str) -> sokoban.Level:
    """Parse and cache a level's text: a judge sees the same few levels repeatedly."""
    return sokoban.Level.parse(text)
