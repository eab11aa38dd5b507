"""Programs for playing, solving and editing Sokoban: facts with their sources, as organisers keep them."""

import re
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from contest.models.languages import in_readers_language
from contest.models.round import check_plain

_FIRST_YEAR, _LAST_YEAR = 1980, 2099
_YEARS = [MinValueValidator(_FIRST_YEAR), MaxValueValidator(_LAST_YEAR)]
_link = URLValidator(schemes=["https", "http"])


class Purpose(models.TextChoices):
    PLAY = "play", pgettext_lazy("program", "play")
    SOLVE = "solve", pgettext_lazy("program", "solve")
    OPTIMISE = "optimise", pgettext_lazy("program", "optimise")
    EDIT = "edit", pgettext_lazy("program", "edit")


class System(models.TextChoices):
    WINDOWS = "windows", "Windows"
    LINUX = "linux", "Linux"
    MAC = "mac", "macOS"
    ANDROID = "android", "Android"
    JAVA = "java", "Java"
    WEB = "web", pgettext_lazy("system", "web browser")


class ProgramState(models.TextChoices):
    KEPT = "kept", pgettext_lazy("program", "in development")
    ENDED = "ended", pgettext_lazy("program", "no longer developed")
    GONE = "gone", pgettext_lazy("program", "no longer to be had")


def check_sources(text: str) -> None:
    """Raise ValidationError if a link in *text* is none with http or https."""
    for link in re.findall(r"\S+://\S*", text):
        _link(link)


def _check_choices(values: Any, choices: type[models.TextChoices]) -> None:
    """Raise ValidationError unless *values* is a list of different values of *choices*."""
    if not isinstance(values, list) or len(set(map(str, values))) < len(values) or set(values) - set(choices.values):
        raise ValidationError(gettext("Choose among: %(choices)s") % {"choices": ", ".join(choices.values)})


def check_purposes(values: Any) -> None:
    _check_choices(values, Purpose)


def check_systems(values: Any) -> None:
    _check_choices(values, System)


class Program(models.Model):
    """A program; what nobody knows with a source is empty, and pages leave it out."""

    name = models.CharField(_("name"), max_length=80, unique=True, validators=[check_plain])
    name_zh = models.CharField(_("name in Chinese"), max_length=80, blank=True, validators=[check_plain])
    # Lists of values of Purpose and of System.
    purposes: Any = models.JSONField(_("made to"), default=list, validators=[check_purposes])
    systems: Any = models.JSONField(_("system"), default=list, blank=True, validators=[check_systems])
    author = models.CharField(_("author"), max_length=120, blank=True, validators=[check_plain])
    first_year = models.PositiveSmallIntegerField(_("first year known"), null=True, blank=True, validators=_YEARS)
    last_year = models.PositiveSmallIntegerField(_("last year known"), null=True, blank=True, validators=_YEARS)
    state = models.CharField(_("state"), max_length=5, choices=ProgramState, blank=True)
    licence = models.CharField(_("licence"), max_length=80, blank=True, validators=[check_plain])
    # Names of formats, which are the same in both languages.
    reads = models.CharField(_("reads"), max_length=200, blank=True, validators=[check_plain])
    writes = models.CharField(_("writes"), max_length=200, blank=True, validators=[check_plain])
    url = models.CharField(_("web page"), max_length=200, blank=True, validators=[_link])
    note_zh = models.CharField(_("note in Chinese"), max_length=300, blank=True, validators=[check_plain])
    note_en = models.CharField(_("note in English"), max_length=300, blank=True, validators=[check_plain])
    sources = models.TextField(
        _("sources"),
        max_length=1_000,
        validators=[check_sources],
        help_text=_("One a line: a link, or the name of what you have read. Leave out what you know from no source."),
    )

    objects: ClassVar[models.Manager["Program"]] = models.Manager()

    class Meta:
        ordering = ["name"]
        verbose_name = _("Sokoban program")
        verbose_name_plural = _("Sokoban programs")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(first_year=None)
                | models.Q(last_year=None)
                | models.Q(last_year__gte=models.F("first_year")),
                name="program_years_in_order",
                violation_error_message=_("The last year is before the first one."),
            ),
            models.CheckConstraint(condition=~models.Q(sources=""), name="program_has_source"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def note(self) -> str:
        """The note in the reader's language, or else in the other one."""
        return in_readers_language(self.note_zh, self.note_en)

    @property
    def facts(self) -> list[str]:
        """Years, state and licence, as far as they are known."""
        years = "–".join(dict.fromkeys(str(year) for year in (self.first_year, self.last_year) if year))
        return [fact for fact in (years, self.get_state_display(), self.licence) if fact]

    @property
    def purpose_labels(self) -> list[str]:
        return [str(Purpose(value).label) for value in self.purposes]

    @property
    def system_labels(self) -> list[str]:
        return [str(System(value).label) for value in self.systems]

    @property
    def source_lines(self) -> list[str]:
        return [line.strip() for line in self.sources.splitlines() if line.strip()]
