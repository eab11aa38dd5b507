"""Posts by organisers: news, announcements, reports, their categories, and series of them."""

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from contest.models.languages import in_readers_language
from contest.models.outreach.picture import Picture
from contest.models.round import Round, check_plain, check_year
from contest.rendering.post_text import LONGEST

_ADDRESS = RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*\Z", _("Small letters, digits, and single hyphens between."))
_LENGTH = MaxLengthValidator(LONGEST)
MOST_REFERENCES, LONGEST_REFERENCE = 40, 500
# The articles that come with the site, in order of publication: the last one is the newest, first on the page.
OWN_POST_SLUGS = (
    "push-paths-by-blocks",
    "exponential-ladder",
    "how-the-judge-keeps-its-promise",
    "why-sokoban-is-pspace-complete",
    "go-and-sokoban",
    "can-quantum-computers-solve-sokoban",
)


def check_references(text: str) -> None:
    """Raise ValidationError if there are too many references, or one is too long or has unwanted characters."""
    lines = text.splitlines()
    if len(lines) > MOST_REFERENCES:
        raise ValidationError(gettext("At most %(most)s references.") % {"most": MOST_REFERENCES})
    for line in lines:
        check_plain(line)
        if len(line) > LONGEST_REFERENCE:
            raise ValidationError(gettext("A reference has at most %(most)s characters.") % {"most": LONGEST_REFERENCE})


class PostCategory(models.Model):
    """A category that organisers typed at a post, in one language or both. It lasts as long as a post has it."""

    slug = models.SlugField(max_length=60, unique=True, editable=False)
    name_zh = models.CharField(_("name in Chinese"), max_length=40, blank=True, validators=[check_plain])
    name_en = models.CharField(_("name in English"), max_length=40, blank=True, validators=[check_plain])

    objects: ClassVar[models.Manager["PostCategory"]] = models.Manager()

    class Meta:
        ordering = ["name_en", "name_zh", "pk"]
        verbose_name = _("category of posts")
        verbose_name_plural = _("categories of posts")
        constraints = [
            models.UniqueConstraint(
                Lower(f"name_{code}"), condition=~models.Q(**{f"name_{code}": ""}), name=f"post_category_{code}_once"
            )
            for code in ("zh", "en")
        ]

    def __str__(self) -> str:
        return in_readers_language(self.name_zh, self.name_en)

    def get_absolute_url(self) -> str:
        return reverse("post-category", args=[self.slug])

    @property
    def typed(self) -> str:
        """The names as an organiser types them."""
        return " / ".join(filter(None, [self.name_zh, self.name_en]))


class PostSeries(models.Model):
    """A sequence of posts. It is public once its first part is."""

    slug = models.CharField(_("address"), max_length=60, unique=True, validators=[_ADDRESS])
    title_zh = models.CharField(_("title in Chinese"), max_length=120, validators=[check_plain])
    title_en = models.CharField(_("title in English"), max_length=120, validators=[check_plain])
    about_zh = models.CharField(_("what it is about, in Chinese"), max_length=300, blank=True, validators=[check_plain])
    about_en = models.CharField(_("what it is about, in English"), max_length=300, blank=True, validators=[check_plain])

    objects: ClassVar[models.Manager["PostSeries"]] = models.Manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("series of posts")
        verbose_name_plural = _("series of posts")

    def __str__(self) -> str:
        return self.title_zh if (get_language() or "").startswith("zh") else self.title_en

    def get_absolute_url(self) -> str:
        return reverse("post-series", args=[self.slug])


class PostQuerySet(models.QuerySet["Post"]):
    def published(self, at: datetime) -> Self:
        return self.filter(published_at__lte=at)

    def in_series(self) -> Self:
        """Parts of a series in the order in which they are read."""
        return self.order_by("series_place", "pk")


class Post(models.Model):
    """A post in one or both languages. Without a time of publication it is a draft."""

    class Kind(models.TextChoices):
        NEWS = "news", pgettext_lazy("kind of a post", "news")
        ANNOUNCEMENT = "announcement", pgettext_lazy("kind of a post", "announcement")
        REPORT = "report", pgettext_lazy("kind of a post", "report")

    slug = models.CharField(
        _("address"),
        max_length=60,
        unique=True,
        validators=[_ADDRESS],
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.NEWS)
    title_zh = models.CharField(_("title in Chinese"), max_length=120, blank=True, validators=[check_plain])
    title_en = models.CharField(_("title in English"), max_length=120, blank=True, validators=[check_plain])
    text_zh = models.TextField(_("text in Chinese"), blank=True, validators=[_LENGTH])
    text_en = models.TextField(_("text in English"), blank=True, validators=[_LENGTH])
    teaser_zh = models.CharField(_("teaser in Chinese"), max_length=300, blank=True, validators=[check_plain])
    teaser_en = models.CharField(_("teaser in English"), max_length=300, blank=True, validators=[check_plain])
    # Sources at the foot, one a line, for both languages.
    references = models.TextField(
        _("references"), blank=True, max_length=MOST_REFERENCES * LONGEST_REFERENCE, validators=[check_references]
    )
    # Rendered on saving; shortcodes become placeholders, filled in for each reader.
    html_zh = models.TextField(blank=True, editable=False)
    html_en = models.TextField(blank=True, editable=False)
    author = models.CharField(_("author, as shown"), max_length=80, blank=True)
    round = models.ForeignKey(
        Round, models.SET_NULL, null=True, blank=True, related_name="posts", verbose_name=_("about the round")
    )
    series = models.ForeignKey(
        PostSeries, models.SET_NULL, null=True, blank=True, related_name="posts", verbose_name=_("part of the series")
    )
    series_place = models.PositiveSmallIntegerField(_("which part"), null=True, blank=True)
    categories = models.ManyToManyField(PostCategory, related_name="posts", editable=False)
    is_pinned = models.BooleanField(_("stays on top"), default=False)
    published_at = models.DateTimeField(
        _("shown from"),
        null=True,
        blank=True,
        validators=[check_year],
    )
    edited_at = models.DateTimeField(null=True, editable=False)
    note_zh = models.CharField(_("what was changed, in Chinese"), max_length=200, blank=True)
    note_en = models.CharField(_("what was changed, in English"), max_length=200, blank=True)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )
    # The pictures in its texts, updated on saving.
    pictures = models.ManyToManyField(Picture, related_name="posts", editable=False)
    # Optimistic lock: detects that another organiser has saved first.
    version = models.PositiveIntegerField(default=0, editable=False)

    objects: ClassVar[models.Manager["Post"]] = models.Manager.from_queryset(PostQuerySet)()

    class Meta:
        ordering = ["-published_at", "-pk"]
        verbose_name = _("post")
        verbose_name_plural = _("posts")
        indexes = [models.Index(fields=["-published_at"], name="post_published")]

    def __str__(self) -> str:
        return self.title_en or self.title_zh or self.slug

    def get_absolute_url(self) -> str:
        return reverse("post", args=[self.slug])

    @property
    def reference_lines(self) -> list[str]:
        """The references, without empty lines."""
        return [line.strip() for line in self.references.splitlines() if line.strip()]

    @property
    def has_note(self) -> bool:
        """True if an organiser described the last change."""
        return bool(self.note_zh or self.note_en)
