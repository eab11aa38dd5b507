"""Collections that everybody may play, and what players have solved of them."""

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
    # Kept for the organisers: whoever publishes says that they may, and from where they have it.
    rights = models.CharField(
        _("rights"),
        max_length=300,
        help_text=_("Who gave leave to publish the levels, and when. Readers do not see it."),
    )
    may_download = models.BooleanField(_("may be downloaded as a file"), default=False)
    # So many levels from the first on are a path for beginners.
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
    """Texts as they are searched: one form of each letter, without case.

    >>> words_of("Ｂox", "Straße")
    'box strasse'
    """
    return " ".join(unicodedata.normalize("NFKC", " ".join(texts)).casefold().split())


class CollectedLevel(models.Model):
    """A level of a published collection. Nothing of it hangs on rounds, so it tells nothing about any."""

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
    # Title and author as they are searched; PostgreSQL has an index of its letters in threes (migration 0036).
    words = models.TextField(default="", editable=False)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    key = models.CharField(max_length=64, blank=True, db_index=True)
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    boxes = models.PositiveSmallIntegerField()
    area = models.PositiveIntegerField()
    grade = models.PositiveSmallIntegerField(choices=Grade, null=True)
    # Counts that no solution betters, where that is proved.
    least_moves = models.PositiveIntegerField(null=True)
    least_pushes = models.PositiveIntegerField(null=True)
    # The best of all results, and how many players have one: kept with every result, so that lists need no count.
    best_moves = models.PositiveIntegerField(null=True)
    best_pushes = models.PositiveIntegerField(null=True)
    solvers = models.PositiveIntegerField(default=0)
    # The mean of the votes on each scale, kept with every vote; nothing while too few have voted.
    beautiful = models.FloatField(null=True, editable=False)
    hard = models.FloatField(null=True, editable=False)
    new = models.FloatField(null=True, editable=False)
    # Those of the collection, so that lists read one index.
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
        # Each begins as a list is ordered and ends with the key, so that a far page is found without reading its rows.
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
            # Levels are counted by what a list may leave out, and searched where three letters are too many to ask for.
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
    """A solution that a player sent to a level of a collection: replayed when it came, and never shown to others."""

    receipt_id = models.CharField(max_length=32, unique=True, editable=False)
    level = models.ForeignKey(CollectedLevel, models.PROTECT, related_name="results", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="level_results")
    # Whose name stood on it. Merging moves `player`; this stays (rule 4.13).
    sent_as = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    lurd = models.TextField()
    sha256 = models.CharField(max_length=64)  # of the solution as it is replayed: sent twice it is one
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
