"""Pictures for posts, stored re-encoded (`rendering.pictures`)."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from contest.models.round import check_plain


class Picture(models.Model):
    """An immutable picture: a changed one is another row. It is public if a public post shows it."""

    content = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    alt_zh = models.CharField(_("what it shows, in Chinese"), max_length=300, validators=[check_plain])
    alt_en = models.CharField(_("what it shows, in English"), max_length=300, validators=[check_plain])
    brought_at = models.DateTimeField()
    brought_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar[models.Manager["Picture"]] = models.Manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")

    def __str__(self) -> str:
        return f"[[picture {self.pk}]]"

    def get_absolute_url(self) -> str:
        return reverse("picture", args=[self.pk])

    @property
    def words(self) -> str:
        """The alternative text, in the reader's language."""
        return self.alt_zh if (get_language() or "").startswith("zh") else self.alt_en
