"""The site's own name, mark, colours, time zone, language, contact and first words, as organisers set them."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator, MaxLengthValidator, RegexValidator, URLValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from contest.infra.identity import COLUMNS
from contest.models.outreach.picture import Picture
from contest.models.round import check_plain

check_colour = RegexValidator(r"^#[0-9a-fA-F]{6}\Z", _("A colour is # and six digits 0-9 a-f, such as #1d5a9e."))
_LINK = URLValidator(["https", "http"])


def check_contact(text: str) -> None:
    """Raise ValidationError unless *text* is an email address or a link."""
    try:
        (_LINK if "://" in text else EmailValidator())(text)
    except ValidationError:
        raise ValidationError(
            _("This is neither an email address nor a link that begins with https:// or http://.")
        ) from None


class SiteIdentity(models.Model):
    """The only row with the values for the whole site; an empty field keeps the operator's setting.

    `contest.infra.identity` reads the columns that pages show.
    """

    name_zh = models.CharField(_("name in Chinese"), max_length=60, blank=True, validators=[check_plain])
    name_en = models.CharField(_("name in English"), max_length=60, blank=True, validators=[check_plain])
    mark = models.CharField(_("mark"), max_length=2, blank=True, validators=[check_plain])
    logo = models.ForeignKey(
        Picture, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("mark as a picture")
    )
    accent_light = models.CharField(_("accent colour, light"), max_length=7, blank=True, validators=[check_colour])
    accent_dark = models.CharField(_("accent colour, dark"), max_length=7, blank=True, validators=[check_colour])
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    language = models.CharField(_("default language"), max_length=10, blank=True)
    contact = models.CharField(_("contact"), max_length=200, blank=True, validators=[check_contact])
    text_zh = models.TextField(
        _("first page, in Chinese"), max_length=2_000, blank=True, validators=[MaxLengthValidator(2_000)]
    )
    text_en = models.TextField(
        _("first page, in English"), max_length=2_000, blank=True, validators=[MaxLengthValidator(2_000)]
    )
    # A text switches the page of sponsors on.
    sponsoring_zh = models.TextField(
        _("how to sponsor, in Chinese"), max_length=4_000, blank=True, validators=[MaxLengthValidator(4_000)]
    )
    sponsoring_en = models.TextField(
        _("how to sponsor, in English"), max_length=4_000, blank=True, validators=[MaxLengthValidator(4_000)]
    )
    # Rendered on saving.
    html_zh = models.TextField(blank=True, editable=False)
    html_en = models.TextField(blank=True, editable=False)
    sponsoring_html_zh = models.TextField(blank=True, editable=False)
    sponsoring_html_en = models.TextField(blank=True, editable=False)
    # Number of changes: an optimistic lock, and a part of cache keys.
    version = models.PositiveIntegerField(default=0, editable=False)

    objects: ClassVar[models.Manager["SiteIdentity"]] = models.Manager()

    class Meta:
        verbose_name = _("the site")
        verbose_name_plural = _("the site")
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="only_one_site")]

    def __str__(self) -> str:
        return gettext("The site")

    def shown(self) -> dict[str, Any]:
        """Return the values that pages show, for `contest.infra.identity`."""
        logo = {"logo": bytes(self.logo.content) if self.logo else None}
        return {column: getattr(self, column) for column in COLUMNS} | logo
