"""Prizes of a round, their sponsors and winners (rules 14.6, 14.8)."""

from datetime import datetime
from typing import ClassVar, Self

from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from contest.models.languages import in_readers_language
from contest.models.player import Player
from contest.models.round import Round, check_plain

LONGEST_CONTACT = 1_000


class SponsorQuerySet(models.QuerySet["Sponsor"]):
    def listed(self) -> Self:
        """Sponsors for the page of sponsors, in its order."""
        return self.filter(is_listed=True).order_by("order", "since", "name")


class Sponsor(models.Model):
    """A sponsor of prizes or of the site; public on the page of sponsors, or once its first prize is."""

    name = models.CharField(_("name"), max_length=120, unique=True, validators=[check_plain])
    url = models.CharField(
        _("web page"), max_length=200, blank=True, validators=[URLValidator(schemes=["https", "http"])]
    )
    is_anonymous = models.BooleanField(_("stays anonymous"), default=False)
    is_listed = models.BooleanField(_("on the page of sponsors"), default=False)
    gift_zh = models.CharField(_("what they give, in Chinese"), max_length=200, blank=True, validators=[check_plain])
    gift_en = models.CharField(_("what they give, in English"), max_length=200, blank=True, validators=[check_plain])
    since = models.DateField(_("since"), null=True, blank=True)
    until = models.DateField(_("until"), null=True, blank=True)
    order = models.PositiveSmallIntegerField(_("order"), default=0)

    objects: ClassVar[models.Manager["Sponsor"]] = models.Manager.from_queryset(SponsorQuerySet)()

    class Meta:
        ordering = ["name"]
        verbose_name = _("sponsor")
        verbose_name_plural = _("sponsors")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(since=None) | models.Q(until=None) | models.Q(until__gte=models.F("since")),
                name="sponsor_until_after_since",
                violation_error_message=_("The end is before the beginning."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_period(self) -> bool:
        return bool(self.since or self.until)

    @property
    def gift(self) -> str:
        """The gift in the reader's language, or else in the other one."""
        return in_readers_language(self.gift_zh, self.gift_en)


class PrizeQuerySet(models.QuerySet["Prize"]):
    def waiting(self) -> Self:
        """Prizes won but not handed over: the winner may give an address."""
        return self.exclude(player=None).filter(handed_at=None)

    def give(self, player: Player | None) -> int:
        """Set *player* as the winner and erase the previous winner's contact: it is private to that winner."""
        return self.update(player=player, contact="", contact_at=None)

    def known_since(self, at: datetime) -> Self:
        """Prizes whose winner gave the contact at or before *at*."""
        return self.exclude(contact="").filter(contact_at__lte=at)


class Prize(models.Model):
    """A prize for one player. The winner's address is shown to organisers only, and erased soon."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="prizes", verbose_name=_("round"))
    sponsor = models.ForeignKey(
        Sponsor, models.SET_NULL, null=True, blank=True, related_name="prizes", verbose_name=_("sponsor")
    )
    what_zh = models.CharField(_("prize in Chinese"), max_length=200, validators=[check_plain])
    what_en = models.CharField(_("prize in English"), max_length=200, validators=[check_plain])
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="prizes", editable=False)
    awarded_at = models.DateTimeField(null=True, editable=False)
    handed_at = models.DateTimeField(null=True, editable=False)
    # Entered by the winner only (`outreach.prizes`); erased when no longer needed.
    contact = models.TextField(blank=True, editable=False)
    contact_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar[models.Manager["Prize"]] = models.Manager.from_queryset(PrizeQuerySet)()

    class Meta:
        ordering = ["round", "pk"]
        verbose_name = _("prize")
        verbose_name_plural = _("prizes")

    def __str__(self) -> str:
        return self.what_zh if (get_language() or "").startswith("zh") else self.what_en
