"""What can be won in a round, who gives it, and to whom it went (rules 14.6, 14.8)."""

from datetime import datetime
from typing import ClassVar, Self

from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from contest.models.player import Player
from contest.models.round import Round, check_plain

LONGEST_CONTACT = 1_000


class Sponsor(models.Model):
    """Who gives prizes; public with the first of them."""

    name = models.CharField(_("name"), max_length=120, unique=True, validators=[check_plain])
    url = models.CharField(
        _("web page"), max_length=200, blank=True, validators=[URLValidator(schemes=["https", "http"])]
    )

    objects: ClassVar[models.Manager["Sponsor"]] = models.Manager()

    class Meta:
        ordering = ["name"]
        verbose_name = _("sponsor")
        verbose_name_plural = _("sponsors")

    def __str__(self) -> str:
        return self.name


class PrizeQuerySet(models.QuerySet["Prize"]):
    def waiting(self) -> Self:
        """Won, and not handed over: the winner may say where it shall go."""
        return self.exclude(player=None).filter(handed_at=None)

    def give(self, player: Player | None) -> int:
        """Let *player* be who won these. Where whoever it was wanted them sent is erased: it is theirs alone."""
        return self.update(player=player, contact="", contact_at=None)

    def known_since(self, at: datetime) -> Self:
        """Whose winner said so long ago, or longer, where it shall go."""
        return self.exclude(contact="").filter(contact_at__lte=at)


class Prize(models.Model):
    """One thing that one player gets. Where to, the winner tells the organisers alone, and not for long."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="prizes", verbose_name=_("round"))
    sponsor = models.ForeignKey(
        Sponsor, models.SET_NULL, null=True, blank=True, related_name="prizes", verbose_name=_("sponsor")
    )
    what_zh = models.CharField(_("prize in Chinese"), max_length=200, validators=[check_plain])
    what_en = models.CharField(_("prize in English"), max_length=200, validators=[check_plain])
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="prizes", editable=False)
    handed_at = models.DateTimeField(null=True, editable=False)
    # Given by the winner alone (`outreach.prizes`); empty again when nobody needs it.
    contact = models.TextField(blank=True, editable=False)
    contact_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar[models.Manager["Prize"]] = models.Manager.from_queryset(PrizeQuerySet)()

    class Meta:
        ordering = ["round", "pk"]
        verbose_name = _("prize")
        verbose_name_plural = _("prizes")

    def __str__(self) -> str:
        return self.what_zh if (get_language() or "").startswith("zh") else self.what_en
