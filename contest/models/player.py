"""Players: a nickname, proved by a claim (rules 4.3 to 4.11)."""

import secrets
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_countries import countries


class League(models.TextChoices):
    """The leagues of rule 16.2."""

    HUMAN = "human", _("human")
    BOT = "bot", _("bot")


def new_archive_number() -> int:
    """Return a random number that JavaScript can represent exactly."""
    return secrets.randbelow(2**53 - 1) + 1


class Player(models.Model):
    """A contestant under one name key. The primary key is the player's public number."""

    nickname = models.CharField(_("nickname"), max_length=128)
    name_key = models.CharField(_("name key"), max_length=512, unique=True, editable=False)
    # The name's visual form (rule 4.5). If two rows share one, the older one predates this check.
    look_key = models.CharField(max_length=512, default="", db_index=True, editable=False)
    country = models.CharField(_("country or region"), max_length=8, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)  # in its canonical form (players.email_addresses)
    league = models.CharField(_("league"), max_length=8, choices=League, default=League.HUMAN)
    # Empty: no claim secret exists. An email address or an owner then proves the name; otherwise see is_open.
    claim_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
        editable=False,
        verbose_name=_("account"),
    )
    # Set if this name leads to another player: after a merge, or as a former name (rule 4.13).
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="aliases", editable=False
    )
    # Imported with old rounds: unusable until an organiser assigns it or its owner proves it.
    is_imported = models.BooleanField(default=False, editable=False)
    # Rule 15.6: identifies the player in hashed records; survives the erasure of personal data.
    archive_number = models.BigIntegerField(default=new_archive_number, unique=True, editable=False)
    # When an organiser's reset link was used: earlier receipts no longer prove the nickname (rule 4.11).
    reclaimed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # When the player last changed the name; renaming by an organiser does not count.
    renamed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Notifications up to this time have been read (rule 27.6).
    told_at = models.DateTimeField(null=True, blank=True, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("first seen at"), editable=False)
    # Current rating in the player's league as `rankings.ratings` shows it; null before the third round (rule 22.1).
    shown_rating = models.SmallIntegerField(null=True, editable=False)

    objects: ClassVar[models.Manager["Player"]] = models.Manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(condition=models.Q(league__in=League.values), name="player_league_known"),
        ]

    def __str__(self) -> str:
        return gettext("deleted player") if self.erased_at else self.nickname

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk, self.slug])

    @property
    def slug(self) -> str:
        """The nickname for URLs; the number before it identifies the player."""
        return "-" if self.erased_at else slugify(self.nickname, allow_unicode=True) or "-"

    @property
    def is_open(self) -> bool:
        """True if the name came over the old protocol without an email address, so nothing can prove it (rule 4.12)."""
        return not (self.claim_sha256 or self.email or self.owner_id or self.is_imported or self.erased_at)

    def for_keeping(self) -> Self:
        """Return this row for a cached list: secrets are reduced to whether they are set."""
        self.email, self.claim_sha256 = ("-" if secret else "" for secret in (self.email, self.claim_sha256))
        return self

    @property
    def country_name(self) -> str:
        """The country's name in the reader's language, or the code itself if it is unknown (rule 4.6)."""
        code = self.country.upper()
        return "" if code in ("", "00") else str(countries.name(code) or self.country)

    @property
    def masked_email(self) -> str:
        """The email address as organisers see it (rule 4.7)."""
        name, at, domain = self.email.partition("@")
        return f"{name[:1]}…{at}{domain[:1]}…" if at else ""


class RestingName(models.Model):
    """A name of an erased player, as keyed hashes alone: nobody can use it for a year (rule 15.6)."""

    REST = timedelta(days=365)

    name_digest = models.CharField(max_length=64, unique=True)
    look_digest = models.CharField(max_length=64, db_index=True)
    erased_at = models.DateTimeField()

    objects: ClassVar[models.Manager["RestingName"]] = models.Manager()

    class Meta:
        verbose_name = _("resting nickname")
        verbose_name_plural = _("resting nicknames")

    def __str__(self) -> str:
        return f"#{self.pk}"

    @property
    def rests_until(self) -> datetime:
        return self.erased_at + self.REST
