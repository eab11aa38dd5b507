"""Players and organisers: questions, the banner, and reports about names (rules 4.11, 25)."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from contest.models.player import Player
from contest.models.round import Round, check_year


class Question(models.Model):
    """A player's question (rule 25.1). Once its answer is public, it is shown in the answering organiser's wording."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="questions")
    player = models.ForeignKey(Player, models.PROTECT, related_name="questions")
    text = models.TextField(_("question"), max_length=2_000)
    asked_at = models.DateTimeField()
    # The question as published: the organiser may shorten it, because it could reveal a method.
    public_text = models.TextField(blank=True)
    answer_zh = models.TextField(blank=True)
    answer_en = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    is_public = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["Question"]] = models.Manager()

    class Meta:
        ordering = ["-asked_at"]
        verbose_name = _("question")
        verbose_name_plural = _("questions")

    def __str__(self) -> str:
        return f"{self.round}: {self.text[:40]}"


class Banner(models.Model):
    """A message of the organisers, shown on every page."""

    text_zh = models.CharField(_("text in Chinese"), max_length=500, blank=True)
    text_en = models.CharField(_("text in English"), max_length=500, blank=True)
    shown_from = models.DateTimeField(_("shown from"), validators=[check_year])
    shown_until = models.DateTimeField(_("shown until"), null=True, blank=True, validators=[check_year])

    objects: ClassVar[models.Manager["Banner"]] = models.Manager()

    class Meta:
        ordering = ["-shown_from"]
        verbose_name = _("banner")
        verbose_name_plural = _("banners")

    def __str__(self) -> str:
        return self.text_en or self.text_zh


class NameReport(models.Model):
    """A claim to a name, or a report that it offends or resembles another; an organiser decides."""

    class Kind(models.TextChoices):
        CLAIM = "claim", _("says the name is theirs")
        OFFENSIVE = "offensive", _("offensive name")
        LOOKALIKE = "lookalike", _("looks like another name")
        SQUATTED = "squatted", _("name reserved but never used")

    kind = models.CharField(max_length=12, choices=Kind)
    player = models.ForeignKey(Player, models.PROTECT, related_name="reports")
    other = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    text = models.TextField(blank=True)
    email = models.EmailField(blank=True)  # of the reporter; masked for organisers, erased with the decision
    reported_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decision = models.CharField(max_length=500, blank=True)
    # A keyed hash of the reporter's network, erased with the decision.
    network = models.CharField(max_length=32, default="", db_default="", blank=True, editable=False)

    objects: ClassVar[models.Manager["NameReport"]] = models.Manager()

    class Meta:
        ordering = ["-reported_at"]
        verbose_name = _("report about a name")
        verbose_name_plural = _("reports about names")

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"
