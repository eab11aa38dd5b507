"""A named span of rounds with its own table (rule 21.1). Calendar years are seasons without a row."""

import re
from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from contest.models.languages import in_readers_language
from contest.models.round import check_year

YEAR = re.compile(r"(?:19|20|21)[0-9]{2}")


class Season(models.Model):
    """A span of time that includes every round closing in it; spans may overlap each other and the years."""

    slug = models.SlugField(
        _("name in addresses"),
        unique=True,
        # The URL of a year is reserved for that year.
        validators=[RegexValidator(YEAR.pattern + r"\Z", _("A year has its own season."), inverse_match=True)],
    )
    title_zh = models.CharField(_("title in Chinese"), max_length=200, blank=True)
    title_en = models.CharField(_("title in English"), max_length=200, blank=True)
    begins_at = models.DateTimeField(_("begins at"), validators=[check_year])
    ends_at = models.DateTimeField(_("ends at"), validators=[check_year])

    objects: ClassVar[models.Manager["Season"]] = models.Manager()

    class Meta:
        ordering = ["-begins_at"]
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("begins_at")),
                name="season_ends_after_it_began",
                violation_error_message=_("A season ends after it has begun."),
            ),
        ]

    def __str__(self) -> str:
        return in_readers_language(self.title_zh, self.title_en) or self.slug

    def get_absolute_url(self) -> str:
        return reverse("season", args=[self.slug])
