"""Who enters: a nickname, proved by a claim (rules 4.3 to 4.11)."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from django_countries import countries


class League(models.TextChoices):
    """Rule 16.2."""

    HUMAN = "human", _("human")
    BOT = "bot", _("bot")


class Player(models.Model):
    """Whoever enters under one name key. The primary key is the player's public number."""

    nickname = models.CharField(_("nickname"), max_length=128)
    name_key = models.CharField(_("name key"), max_length=512, unique=True, editable=False)
    country = models.CharField(_("country or region"), max_length=8, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    league = models.CharField(_("league"), max_length=8, choices=League, default=League.HUMAN)
    claim_sha256 = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(_("first seen at"), editable=False)

    objects: ClassVar[models.Manager["Player"]] = models.Manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(condition=models.Q(league__in=League.values), name="player_league_known"),
        ]

    def __str__(self) -> str:
        return self.nickname

    @property
    def country_name(self) -> str:
        """The country's name in the reader's language; an unknown code speaks for itself (rule 4.6)."""
        code = self.country.upper()
        return "" if code in ("", "00") else str(countries.name(code) or self.country)

    @property
    def masked_email(self) -> str:
        """What an organiser may see of the address (rule 4.7)."""
        name, at, domain = self.email.partition("@")
        return f"{name[:1]}…{at}{domain[:1]}…" if at else ""
