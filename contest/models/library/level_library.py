"""Levels that wait for a round, and the series that use them (rule 23.1)."""

from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from contest.infra import identity
from contest.models.level import Slot
from contest.models.round import MAIN, Round, Track, check_plain, check_year, default_settings
from solvers import sokoban


class LibraryLevelQuerySet(models.QuerySet["LibraryLevel"]):
    def ready(self) -> Self:
        """Levels that passed the publication check but were never used in a round."""
        return self.filter(state=LibraryLevel.State.READY)


class LibraryLevel(models.Model):
    """A level in the organisers' library; only organisers see it."""

    class State(models.TextChoices):
        DRAFT = "draft", _("needs work")  # it has not passed the publication check
        READY = "ready", _("ready")
        USED = "used", _("used")
        RETIRED = "retired", _("archived")

    text = models.TextField(_("text"), help_text=_("Rows joined by |, floor as -."))
    solution = models.TextField(_("organiser's solution"), blank=True)
    # Rule 2.7: why it may be published although no solution is known.
    unsolved_reason = models.CharField(max_length=500, blank=True)
    title = models.CharField(_("title"), max_length=200, blank=True, validators=[check_plain])
    author = models.CharField(_("author"), max_length=200, blank=True, validators=[check_plain])
    tags = models.CharField(_("tags"), max_length=200, blank=True, help_text=_("Words with commas between them."))
    difficulty = models.PositiveSmallIntegerField(
        _("difficulty"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(5)]
    )
    rights = models.CharField(
        _("rights"),
        max_length=300,
        blank=True,
        help_text=_("Who gave permission to publish the level, and when."),
    )
    sha256 = models.CharField(max_length=64, editable=False)
    key = models.CharField(max_length=64, editable=False, db_index=True)
    width = models.PositiveSmallIntegerField(_("columns"), editable=False)
    height = models.PositiveSmallIntegerField(_("rows"), editable=False)
    boxes = models.PositiveSmallIntegerField(_("boxes"), editable=False)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.DRAFT)
    added_at = models.DateTimeField(_("added at"))
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    used_in = models.ForeignKey(Round, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar[models.Manager["LibraryLevel"]] = models.Manager.from_queryset(LibraryLevelQuerySet)()

    class Meta:
        ordering = ["-added_at", "-pk"]
        verbose_name = _("level of the library")
        verbose_name_plural = _("levels of the library")
        indexes = [
            models.Index(fields=["-added_at", "-id"], name="library_newest"),
            models.Index(fields=["state", "-added_at", "-id"], name="library_newest_of_state"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(difficulty=None) | Q(difficulty__gte=1, difficulty__lte=5), name="library_difficulty"
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"{self.width} × {self.height}"

    @cached_property
    def board(self) -> sokoban.Level:
        """The board to draw."""
        return sokoban.Level.parse(self.text)


# Placeholders allowed in a title pattern.
TITLE_NAMES = ("name", "number", "year", "month", "day")


def check_pattern(pattern: str) -> None:
    """Raise ValidationError if a title pattern has braces around anything but a known placeholder."""
    for name in TITLE_NAMES:
        pattern = pattern.replace(f"{{{name}}}", "")
    if "{" in pattern or "}" in pattern:
        known = ", ".join(f"{{{name}}}" for name in TITLE_NAMES)
        raise ValidationError(gettext("Allowed between braces: %(known)s.") % {"known": known})


class Series(models.Model):
    """Rounds at regular intervals that take their levels from queues (rule 23.1)."""

    name_zh = models.CharField(_("name in Chinese"), max_length=150, validators=[check_plain])
    name_en = models.CharField(_("name in English"), max_length=150, validators=[check_plain])
    track = models.ForeignKey(Track, models.PROTECT, related_name="series", verbose_name=_("track"), default=MAIN)
    first_opens_at = models.DateTimeField(_("first opening"), validators=[check_year])
    every_weeks = models.PositiveSmallIntegerField(
        _("weeks from one opening to the next"), default=1, validators=[MinValueValidator(1), MaxValueValidator(52)]
    )
    length_days = models.PositiveSmallIntegerField(
        _("days a round lasts"), default=7, validators=[MinValueValidator(1), MaxValueValidator(364)]
    )
    days_ahead = models.PositiveSmallIntegerField(
        _("days from the announcement to the opening"),
        default=7,
        validators=[MinValueValidator(1), MaxValueValidator(60)],
    )
    title_zh = models.CharField(
        _("title of its rounds in Chinese"), max_length=150, blank=True, validators=[check_plain, check_pattern]
    )
    title_en = models.CharField(
        _("title of its rounds in English"),
        max_length=150,
        blank=True,
        validators=[check_plain, check_pattern],
        help_text=_(
            "{name}, {number}, {year}, {month} and {day} stand for those of the round. Empty: name and number."
        ),
    )
    prizes_zh = models.CharField(_("prizes in Chinese"), max_length=500, blank=True, validators=[check_plain])
    prizes_en = models.CharField(_("prizes in English"), max_length=500, blank=True, validators=[check_plain])
    settings: Any = models.JSONField(_("settings"), default=default_settings)
    # Rule 14.7: None leaves finalisation to an organiser.
    final_after_days = models.PositiveSmallIntegerField(
        _("results become final by themselves after so many quiet days"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(60)],
        help_text=_(
            "Counted from the reveal or what was last done or asked; never while anything is open. Empty: you do it."
        ),
    )
    is_running = models.BooleanField(_("running"), default=True)
    # When the job last finished this series without error, and the failure since then; empty if none.
    advanced_at = models.DateTimeField(null=True, editable=False)
    fault = models.CharField(max_length=200, blank=True, editable=False)

    objects: ClassVar[models.Manager["Series"]] = models.Manager()

    class Meta:
        ordering = ["name_en", "pk"]
        verbose_name = _("series")
        verbose_name_plural = _("series")
        constraints = [
            models.CheckConstraint(
                condition=Q(every_weeks__gte=1, length_days__gte=1), name="series_has_a_beat_and_a_length"
            ),
        ]

    def __str__(self) -> str:
        return self.name_zh if (get_language() or "").startswith("zh") else self.name_en

    def clean(self) -> None:
        if self.length_days and self.every_weeks and self.length_days > 7 * self.every_weeks:
            raise ValidationError(
                {"length_days": gettext("A round of the series would still be open when the next one opens.")}
            )
        if self.days_ahead and self.every_weeks and self.days_ahead > 7 * self.every_weeks:
            raise ValidationError(
                {"days_ahead": gettext("A round can be announced only after the one before it has opened.")}
            )

    def title(self, turn: int, number: int, language: str) -> str:
        """Return the title of the round of a *turn* with this *number*, in Chinese (zh) or English (en)."""
        pattern: str = getattr(self, f"title_{language}") or "{name} {number}"
        opens_at = self.opening(turn)
        facts = (getattr(self, f"name_{language}"), number, opens_at.year, opens_at.month, opens_at.day)
        for name, value in zip(TITLE_NAMES, facts, strict=True):
            pattern = pattern.replace(f"{{{name}}}", str(value))
        return pattern[:200]

    def opening(self, number: int) -> datetime:
        """Return when round *number* of the series opens, from 1 on: at the same hour in the site's time zone."""
        first = timezone.localtime(self.first_opens_at, identity.zone())
        return first + (number - 1) * timedelta(weeks=self.every_weeks)

    def next_number(self, at: datetime) -> int:
        """Return the number of the first opening after *at*."""
        number = max(1, (at - self.first_opens_at) // timedelta(weeks=self.every_weeks))  # at most two too small
        while self.opening(number) <= at:
            number += 1
        return number


class QueuedLevel(models.Model):
    """A position in the queue of a series' slot."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="queue")
    slot = models.CharField(_("slot"), max_length=8, choices=Slot, default=Slot.MAIN)
    level = models.OneToOneField(LibraryLevel, models.PROTECT, related_name="queued")
    place = models.PositiveIntegerField()

    objects: ClassVar[models.Manager["QueuedLevel"]] = models.Manager()

    class Meta:
        ordering = ["series", "slot", "place", "pk"]

    def __str__(self) -> str:
        return f"{self.series} · {self.get_slot_display()}: {self.level}"


class SeriesRound(models.Model):
    """One turn of a series: its round, or the record that organisers were told why there is none yet."""

    series = models.ForeignKey(Series, models.PROTECT, related_name="turns")
    number = models.PositiveIntegerField()
    round = models.OneToOneField(Round, models.SET_NULL, null=True, related_name="turn")
    # Why there is no round yet, by language code; empty if nothing is wrong.
    troubles: Any = models.JSONField(default=dict)
    # Since when an organiser has held it back; None if it is published on time.
    held_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["SeriesRound"]] = models.Manager()

    class Meta:
        ordering = ["series", "number"]
        constraints = [models.UniqueConstraint(fields=["series", "number"], name="series_one_round_a_turn")]

    def __str__(self) -> str:
        return f"{self.series} {self.number}"

    @property
    def trouble(self) -> str:
        """The reason there is no round yet, in the reader's language."""
        language = "zh-hans" if (get_language() or "").startswith("zh") else "en"
        message: str = self.troubles.get(language, "")
        return message
