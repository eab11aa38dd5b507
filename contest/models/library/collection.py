"""Collections that everybody may play, and players' solutions of their levels."""

import unicodedata
from functools import cached_property
from typing import ClassVar

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from contest.models.player import Player
from solvers import sokoban

# Collections that come with the site; a site has them unless it withdrew them (contest.library.own).
GRADED_SLUG, COURSE_SLUG = OWN_SLUGS = ("leitai", "leitai-course")
_ORDER = ("collection", "place", "id")


class Collection(models.Model):
    """Levels that an organiser has published, or that come with the site."""

    slug = models.CharField(
        _("address"),
        max_length=60,
        unique=True,
        validators=[RegexValidator(r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", _("Small letters, digits and hyphens."))],
        help_text=_("Small letters, digits and hyphens; it cannot be changed later."),
    )
    title_zh = models.CharField(_("title in Chinese"), max_length=150, blank=True)
    title_en = models.CharField(_("title in English"), max_length=150)
    author = models.CharField(_("author"), max_length=200, blank=True)
    remarks = models.TextField(_("remarks"), max_length=5000, blank=True)
    licence = models.CharField(
        _("licence"),
        max_length=200,
        blank=True,
        help_text=_("What everybody may do with the levels, as the author says."),
    )
    # For organisers only: the publisher's statement of permission and source.
    rights = models.CharField(
        _("rights"),
        max_length=300,
        help_text=_("Who gave leave to publish the levels, and when. Readers do not see it."),
    )
    may_download = models.BooleanField(_("may be downloaded as a file"), default=False)
    # The first *path_length* levels form a path for beginners.
    path_length = models.PositiveIntegerField(default=0, editable=False)
    count = models.PositiveIntegerField(default=0, editable=False)
    published_at = models.DateTimeField(editable=False)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False
    )
    withdrawn_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar[models.Manager["Collection"]] = models.Manager()

    class Meta:
        ordering = ["-path_length", "-published_at", "pk"]
        verbose_name = _("collection")
        verbose_name_plural = _("collections")

    def __str__(self) -> str:
        return (self.title_zh if (get_language() or "").startswith("zh") else "") or self.title_en

    def get_absolute_url(self) -> str:
        return reverse("collection", args=[self.slug])


def words_of(*texts: str) -> str:
    """Return *texts* normalised for searching: compatibility forms folded (NFKC), case folded.

    >>> words_of("Ｂox", "Straße")
    'box strasse'
    """
    return " ".join(unicodedata.normalize("NFKC", " ".join(texts)).casefold().split())


class CollectedLevel(models.Model):
    """A level of a published collection. It refers to no round, so it reveals nothing about any."""

    class Grade(models.IntegerChoices):
        FIRST = 1, _("first steps")
        EASY = 2, _("easy")
        MEDIUM = 3, _("medium")
        HARD = 4, _("hard")
        EXPERT = 5, _("very hard")

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="levels", db_index=False)
    place = models.PositiveIntegerField()
    title = models.CharField(max_length=200, blank=True)
    author = models.CharField(max_length=200, blank=True)
    # Title and author, normalised for searching; PostgreSQL has a trigram index on it (migration 0036).
    words = models.TextField(default="", editable=False)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    key = models.CharField(max_length=64, blank=True, db_index=True)
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    boxes = models.PositiveSmallIntegerField()
    area = models.PositiveIntegerField()
    grade = models.PositiveSmallIntegerField(choices=Grade, null=True)
    # Proved minimum counts; null if nothing is proved.
    least_moves = models.PositiveIntegerField(null=True)
    least_pushes = models.PositiveIntegerField(null=True)
    # Denormalised best counts and number of solvers, updated with every result, so that lists need no aggregate.
    best_moves = models.PositiveIntegerField(null=True)
    best_pushes = models.PositiveIntegerField(null=True)
    solvers = models.PositiveIntegerField(default=0)
    # The mean vote on each scale, updated with every vote; null while there are too few votes.
    beautiful = models.FloatField(null=True, editable=False)
    hard = models.FloatField(null=True, editable=False)
    new = models.FloatField(null=True, editable=False)
    # Copied from the collection, so that lists read one index.
    is_public = models.BooleanField(default=True)
    published_at = models.DateTimeField()

    objects: ClassVar[models.Manager["CollectedLevel"]] = models.Manager()

    class Meta:
        ordering = ["collection", "place"]
        verbose_name = _("level of a collection")
        verbose_name_plural = _("levels of collections")
        constraints = [
            models.UniqueConstraint(fields=["collection", "place"], name="collected_level_place"),
        ]
        # Each starts with a list's sort order and ends with the key, so that a far page is found without reading rows.
        indexes = [
            models.Index(fields=["is_public", "-published_at", *_ORDER], name="collected_newest"),
            models.Index(fields=["is_public", "boxes", *_ORDER], name="collected_by_boxes"),
            models.Index(fields=["is_public", "area", *_ORDER], name="collected_by_area"),
            models.Index(fields=["is_public", "solvers", *_ORDER], name="collected_by_solvers"),
            models.Index(fields=["is_public", "grade", *_ORDER], name="collected_by_grade"),
            models.Index(fields=["is_public", "author", *_ORDER], name="collected_by_author"),
            models.Index(fields=["is_public", "best_moves", *_ORDER], name="collected_by_best"),
            models.Index(fields=["is_public", "least_pushes", *_ORDER], name="collected_by_least"),
            *(
                models.Index(
                    fields=["is_public", f"-{scale}", *_ORDER],
                    condition=Q(**{f"{scale}__isnull": False}),
                    name=f"collected_most_{scale}",
                )
                for scale in ("beautiful", "hard", "new")
            ),
            # For counting levels by filter, and for searches too short for the trigram index.
            models.Index(
                fields=["is_public", "width", "height", "boxes", "grade", "least_pushes"], name="collected_counted"
            ),
            models.Index(fields=["is_public", "words", "id"], name="collected_words"),
        ]

    def __str__(self) -> str:
        return self.title or _("No. %(place)s") % {"place": self.place}

    def get_absolute_url(self) -> str:
        return reverse("collected-level", args=[self.collection.slug, self.place])

    @cached_property
    def board(self) -> sokoban.Level:
        """The board to draw or replay."""
        return sokoban.Level.parse(self.text)


class LevelResult(models.Model):
    """A solution that a player sent to a level of a collection: replayed on arrival and never shown to others."""

    receipt_id = models.CharField(max_length=32, unique=True, editable=False)
    level = models.ForeignKey(CollectedLevel, models.PROTECT, related_name="results", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="level_results")
    # The player it was sent as. Merging changes `player`; this stays (rule 4.13).
    sent_as = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    lurd = models.TextField()
    sha256 = models.CharField(max_length=64)  # of the normalised solution: duplicates are stored once
    moves = models.PositiveIntegerField()
    pushes = models.PositiveIntegerField()
    received_at = models.DateTimeField()
    is_best_by_moves = models.BooleanField(default=False)
    is_best_by_pushes = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["LevelResult"]] = models.Manager()

    class Meta:
        ordering = ["-received_at", "-pk"]
        verbose_name = _("result of a level")
        verbose_name_plural = _("results of levels")
        constraints = [
            models.UniqueConstraint(fields=["sent_as", "level", "sha256"], name="level_result_once"),
            models.UniqueConstraint(
                fields=["level", "player"], condition=Q(is_best_by_moves=True), name="level_result_best_by_moves"
            ),
            models.UniqueConstraint(
                fields=["level", "player"], condition=Q(is_best_by_pushes=True), name="level_result_best_by_pushes"
            ),
        ]
        indexes = [
            models.Index(
                fields=["level", "moves", "pushes", "received_at", "id"],
                condition=Q(is_best_by_moves=True),
                name="level_result_by_moves",
            ),
            models.Index(
                fields=["level", "pushes", "moves", "received_at", "id"],
                condition=Q(is_best_by_pushes=True),
                name="level_result_by_pushes",
            ),
            models.Index(fields=["level", "player"], name="level_result_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.moves}/{self.pushes}"

    def get_absolute_url(self) -> str:
        return reverse("collected-receipt", args=[self.receipt_id])
