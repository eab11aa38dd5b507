"""A round: its number, times and settings (rules 2 and 3); and the track it belongs to."""

import copy
import threading
import time
from datetime import datetime
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.signals import request_started
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.db.models.signals import post_save
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from contest.models.languages import in_readers_language
from contest.rules import phases, sealed_answers
from contest.rules.phases import Phase
from contest.rules.plain_text import first_unwanted

# Rule 3.10: the reveal waits for a make-up window, or until a day after an outage.
REVEALS_AT = Coalesce("make_up_closes_at", "reveal_waits_until", "closes_at")


def _is_opened(at: datetime) -> Q:
    # One condition instead of chained filters: every page would pay for building the chain.
    came = Q(cancelled_at=None) | Q(cancelled_at__gte=F("opens_at"))
    return Q(came, announced_at__lte=at, opens_at__lte=at)


class RoundQuerySet(models.QuerySet["Round"]):
    def announced(self, at: datetime) -> Self:
        return self.filter(announced_at__lte=at)

    def opened(self, at: datetime) -> Self:
        """Return announced rounds whose opening has passed, unless they were cancelled before it."""
        return self.filter(_is_opened(at))

    def open(self, at: datetime, since: datetime | None = None) -> Self:
        """Return rounds that accept submissions: in their regular time or in a make-up window (rule 3.10).

        With *since*, also rounds that accepted submissions at any moment from then on.
        """
        since = since or at
        running = Q(opens_at__lte=at, closes_at__gt=since) | Q(make_up_opens_at__lte=at, make_up_closes_at__gt=since)
        return self.announced(at).exclude(cancelled_at__lte=since).filter(running)

    def revealed(self, at: datetime) -> Self:
        """Return opened rounds whose solutions and lucky number may be public (rules 3.10, 7.4).

        A round cancelled after its reveal stays public; one cancelled before reveals nothing (rule 7.10).
        """
        came = Q(cancelled_at=None) | Q(cancelled_at__gte=F("reveals_at"))
        return self.alias(reveals_at=REVEALS_AT).filter(_is_opened(at), came, reveals_at__lte=at)

    def in_play(self, at: datetime) -> Self:
        """Return rounds that are open, or closed with a pending reveal: those may open again (rule 3.10)."""
        waits = self.opened(at).alias(reveals_at=REVEALS_AT).filter(reveals_at__gt=at)
        return waits.exclude(cancelled_at__lte=at)

    def final(self, at: datetime) -> Self:
        """Return rounds with final results; a cancelled round has none (rule 7.10)."""
        return self.revealed(at).filter(cancelled_at=None, finalised_at__lte=at)

    def in_phase(self, phase: Phase, at: datetime) -> Self:
        """Return rounds in *phase*; must agree with `phases.phase` (rule 3.6)."""
        if phase is Phase.CANCELLED:
            return self.filter(cancelled_at__lte=at)
        alive = self.exclude(cancelled_at__lte=at)
        if phase is Phase.DRAFT:
            return alive.exclude(announced_at__lte=at)
        alive = alive.announced(at)
        if phase is Phase.SCHEDULED:
            return alive.filter(opens_at__gt=at)
        if phase is Phase.OPEN:
            return alive.open(at)
        ended = alive.filter(opens_at__lte=at).exclude(pk__in=alive.open(at).order_by().values("pk"))
        is_final = Q(finalised_at__lte=at)
        return ended.filter(is_final) if phase is Phase.FINAL else ended.exclude(is_final)

    def overlapping(self, opens_at: datetime, closes_at: datetime) -> Self:
        """Return rounds of any track that would be open at some moment of the span (rules 2.6, 2.11)."""
        return self.filter(cancelled_at=None).filter(
            Q(opens_at__lt=closes_at, closes_at__gt=opens_at)
            | Q(make_up_opens_at__lt=closes_at, make_up_closes_at__gt=opens_at)
        )


# Years that every date format can represent and that an organiser can plausibly mean.
FIRST_YEAR, LAST_YEAR = 1980, 2099


def check_year(at: datetime) -> None:
    """Refuse a year that cannot be intended, such as one with a digit too many."""
    if not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise ValidationError(
            gettext("The year %(year)s is not valid. Enter a time between %(first)s and %(last)s.")
            % {"year": at.year, "first": FIRST_YEAR, "last": LAST_YEAR}
        )


def check_plain(text: str) -> None:
    """Raise ValidationError if a title or name has a control character or one that changes the text direction."""
    if character := first_unwanted(text):
        raise ValidationError(gettext("A title cannot contain the character U+%(code)04X.") % {"code": ord(character)})


def default_settings() -> dict[str, Any]:
    """Return a copy of the site's default settings for a new round (rule 17)."""
    return copy.deepcopy(settings.DEFAULT_ROUND_SETTINGS)


# The track that every site starts with; the default if no track is named.
MAIN = "main"


class TrackQuerySet(models.QuerySet["Track"]):
    def beside_main(self) -> Self:
        return self.exclude(slug=MAIN)

    def several(self) -> bool:
        """True if there are tracks besides main; otherwise pages do not mention tracks."""
        return self.beside_main().exists()


class Track(models.Model):
    """A sequence of rounds; rounds of different tracks may be open together (rule 2.6)."""

    slug = models.CharField(
        _("name in addresses"),
        max_length=30,
        primary_key=True,
        validators=[
            RegexValidator(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*\Z", _("Small letters, digits, and single hyphens between."))
        ],
    )
    title_zh = models.CharField(_("title in Chinese"), max_length=100, validators=[check_plain])
    title_en = models.CharField(_("title in English"), max_length=100, validators=[check_plain])
    # Rule 6.8: a text that names no round is tried on the main track, which has 0, then in this order.
    order = models.PositiveSmallIntegerField(_("order"), default=1, validators=[MinValueValidator(1)])

    # Rule 22.1.
    is_rated = models.BooleanField(_("counts for ratings"), default=True)
    # Users who organise only the tracks they own; assigned on the desk with the role.
    owners = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="owned_tracks", blank=True, editable=False, verbose_name=_("organisers")
    )

    objects: ClassVar[models.Manager["Track"]] = models.Manager.from_queryset(TrackQuerySet)()

    class Meta:
        ordering = ["order", "slug"]
        verbose_name = _("track")
        verbose_name_plural = _("tracks")
        permissions = [("own_track", "Can organise the tracks they own")]

    def __str__(self) -> str:
        return self.title_zh if (get_language() or "").startswith("zh") else self.title_en


class _Titles(threading.local):
    """The tracks by slug, read once a request: pages name many rounds, and querying each round's track is slow."""

    def __init__(self) -> None:
        self._tracks: dict[str, Track] = {}
        self._read_at = float("-inf")

    def of(self, slug: str) -> Track:
        if slug not in self._tracks or time.monotonic() > self._read_at + _TITLE_SECONDS:
            self._tracks, self._read_at = {track.slug: track for track in Track.objects.all()}, time.monotonic()
        return self._tracks[slug]

    def forget(self, **_signal: Any) -> None:
        self._tracks = {}


_TITLE_SECONDS = 60  # of workers, which have no requests
_titles = _Titles()
request_started.connect(_titles.forget)
post_save.connect(_titles.forget, sender=Track)


class Round(models.Model):
    """One contest. Its phase is a function of its times, never a stored state (rule 3.6)."""

    number = models.PositiveIntegerField(_("number"), unique=True, validators=[MinValueValidator(1)])
    track = models.ForeignKey(Track, models.PROTECT, related_name="rounds", verbose_name=_("track"), default=MAIN)
    # Rule 2.1: position among the announced rounds of a track other than main; main uses the number itself.
    number_in_track = models.PositiveIntegerField(null=True, editable=False)
    title_zh = models.CharField(_("title in Chinese"), max_length=200, blank=True, validators=[check_plain])
    title_en = models.CharField(_("title in English"), max_length=200, blank=True, validators=[check_plain])
    # Rule 14.6: free text that the site does not evaluate.
    prizes_zh = models.CharField(_("prizes in Chinese"), max_length=500, blank=True, validators=[check_plain])
    prizes_en = models.CharField(_("prizes in English"), max_length=500, blank=True, validators=[check_plain])
    announced_at = models.DateTimeField(
        _("announced at"),
        null=True,
        blank=True,
        help_text=_("From then on number and times are public. Empty: a draft, which never opens by itself."),
    )
    opens_at = models.DateTimeField(_("opens at"), validators=[check_year])
    closes_at = models.DateTimeField(_("closes at"), validators=[check_year])
    finalised_at = models.DateTimeField(_("final since"), null=True, blank=True, editable=False)
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    cancel_reason_zh = models.CharField(_("reason in Chinese"), max_length=500, blank=True)
    cancel_reason_en = models.CharField(_("reason in English"), max_length=500, blank=True)
    make_up_opens_at = models.DateTimeField(null=True, blank=True, editable=False)
    make_up_closes_at = models.DateTimeField(null=True, blank=True, editable=False)
    reveal_waits_until = models.DateTimeField(null=True, blank=True, editable=False)
    # When all entries were judged and in the receipt chain; void if a later reveal is set (rule 24.1).
    complete_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Rule 11.2; the number behind it is a LuckyNumber, which no page of rounds reads.
    commitment = models.CharField(max_length=64, blank=True, editable=False)
    settings = models.JSONField(_("settings"), default=default_settings, editable=False)
    # From another site, which has already done everything due for it.
    is_imported = models.BooleanField(default=False, editable=False)
    # Rule 24.2: 1 if it opened before openings were bound, or on another site; 2 before closings were.
    archive_format = models.PositiveSmallIntegerField(default=4, editable=False)
    # Sum of its levels' board versions when the published results were last found up to date.
    tabulated_version = models.BigIntegerField(null=True, editable=False)

    objects: ClassVar[models.Manager["Round"]] = models.Manager.from_queryset(RoundQuerySet)()

    class Meta:
        ordering = ["-number"]
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_positive"),
            models.UniqueConstraint(fields=["track", "number_in_track"], name="round_number_in_track"),
            models.CheckConstraint(
                condition=Q(closes_at__gt=F("opens_at")),
                name="round_closes_after_opening",
                violation_error_message=_("A round closes after it has opened."),
            ),
            models.CheckConstraint(
                condition=Q(announced_at=None) | Q(announced_at__lte=F("opens_at")),
                name="round_announced_before_opening",
                violation_error_message=_("A round is announced before it opens, or when it opens."),
            ),
            # Rule 11.3: no round opens without a commitment, and none opens unannounced.
            models.CheckConstraint(
                condition=Q(announced_at=None) | ~Q(commitment=""), name="round_announced_with_commitment"
            ),
            models.CheckConstraint(
                condition=Q(make_up_opens_at=None, make_up_closes_at=None)
                | Q(make_up_opens_at__gte=F("closes_at"), make_up_closes_at__gt=F("make_up_opens_at")),
                name="round_make_up_after_close",
            ),
        ]
        indexes = [models.Index(fields=["opens_at", "closes_at"], name="round_times")]

    def __str__(self) -> str:
        if self.number_in_track and self.track_id:
            return gettext("%(track)s %(number)s") % {
                "track": _titles.of(self.track_id),
                "number": self.number_in_track,
            }
        return gettext("Round %(number)s") % {"number": self.number}

    def get_absolute_url(self) -> str:
        return reverse("round", args=[self.number])

    @property
    def name(self) -> str:
        """The number in addresses, archives and the API: `219`, or `weekly-7` beside the main track (rule 2.1)."""
        return f"{self.track_id}-{self.number_in_track}" if self.number_in_track else str(self.number)

    @property
    def title(self) -> str:
        """The title in the reader's language, or else in the other one."""
        return in_readers_language(self.title_zh, self.title_en)

    @property
    def scoring_slots(self) -> list[str]:
        """Slots of the levels whose ranks give points (rule 9.4)."""
        return list(self.settings.get("scoring_levels", ("main",)))

    @property
    def max_moves(self) -> int:
        return int(self.settings["max_moves"])

    @property
    def takes_spectators(self) -> bool:
        """True if spectator answers are accepted (rule 13.2)."""
        return bool(self.settings["spectator"])

    @property
    def takes_sealed(self) -> bool:
        """True if sealed answers are accepted (rule 5.11). An imported round's were opened on the other site."""
        return bool(self.settings.get("sealed_answers")) and not self.is_imported

    @property
    def ranks_together(self) -> bool:
        """True if humans and bots share one ranking (rule 16.4)."""
        return bool(self.settings["leagues"] == "together")

    @property
    def reveals_at(self) -> datetime:
        """When solutions, lucky number and results become public (rule 3.10); REVEALS_AT is the same in SQL."""
        return self.make_up_closes_at or self.reveal_waits_until or self.closes_at

    @property
    def opening_ends_at(self) -> datetime | None:
        """The end of the time for opening sealed answers; None if the round takes none (rule 5.13)."""
        return sealed_answers.ends_at(self.reveals_at) if self.takes_sealed else None

    @property
    def draws_at(self) -> datetime:
        """When the lucky number becomes public: too late to choose which sealed answers to open (rule 11.5)."""
        return self.opening_ends_at or self.reveals_at

    def closed_at(self, at: datetime) -> datetime:
        """Return the close that a submission at *at* has missed: the last one that has passed (rules 3.8, 3.10)."""
        made_up = self.make_up_closes_at
        return made_up if made_up and made_up <= at else self.closes_at

    def is_open_within(self, opens_at: datetime, closes_at: datetime) -> bool:
        """Return True if the round is open at some moment of the span, like `overlapping` in SQL (rule 2.6)."""
        spans = [(self.opens_at, self.closes_at), (self.make_up_opens_at, self.make_up_closes_at)]
        return any(begins and ends and begins < closes_at and ends > opens_at for begins, ends in spans)

    def phase(self, at: datetime) -> Phase:
        return phases.phase(self, at)
