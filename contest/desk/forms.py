"""The forms of the desk. The acts, not the forms, decide whether a change is allowed."""

from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.infra import clock
from contest.infra.identity import ZONE_HINT
from contest.models import Banner, LibraryLevel, Question, Round, Series, Slot, Track
from contest.organising.acts import choose_among
from contest.organising.round_forms import RoundForm as AdminRoundForm
from contest.organising.settings_form import SettingsForm
from contest.results import by_itself
from contest.rules.phases import Phase
from contest.staff import track_owners
from contest.templatetags.pages import PHASE_WORDS

BOARD = {"class": "moves", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class LevelForm(forms.Form):
    """One parsed level, to review and correct."""

    text = forms.CharField(label=_("Level (XSB)"), strip=False, widget=forms.Textarea({**BOARD, "rows": 10}))
    solution = forms.CharField(
        label=_("Own solution (LURD)"),
        required=False,
        widget=forms.Textarea({**BOARD, "rows": 3}),
        help_text=_("Hidden from everybody until the close."),
    )
    unsolved_reason = forms.CharField(
        label=_("Why it may be published without a known solution"),
        required=False,
        max_length=500,
        help_text=_("Only if the solver found no answer. The reason is stored in the audit log (rule 2.7)."),
    )
    title = forms.CharField(label=_("Title"), required=False)
    author = forms.CharField(label=_("Author"), required=False)
    confirmed = forms.BooleanField(label=_("I have read the warnings"), required=False)
    tags = forms.CharField(label=_("Tags"), required=False, max_length=200, help_text=_("Separate with commas."))
    difficulty = forms.TypedChoiceField(
        label=_("Difficulty"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "–"), *((number, str(number)) for number in range(1, 6))],
    )
    rights = forms.CharField(
        label=_("Rights"),
        required=False,
        max_length=300,
        help_text=_("Who gave permission to publish the level, and when."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


def date_time_input() -> forms.DateTimeInput:
    """Return a date and time input of the browser, in the site's time zone (rule 3.5)."""
    return forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


def limit_tracks(form: Any, user: User, permission: str) -> None:
    """Restrict the choice to tracks where *user* has *permission*; without all tracks, remove the number field too."""
    if user.has_perm(f"contest.{permission}"):
        return
    # All tracks share one number sequence (2.11): the field would reveal used numbers, and the largest leaves none.
    form.fields.pop("number", None)
    if "track" not in form.fields:
        return
    field = form.fields["track"]
    field.queryset = Track.objects.filter(slug__in=track_owners.owned_slugs(user))
    field.choices = [(track.slug, str(track)) for track in track_owners.owned_tracks(user)]


class RoundForm(AdminRoundForm):
    """The fields of a round; the round is announced only on its preview page."""

    class Meta(AdminRoundForm.Meta):
        fields = ("number", "track", "title_zh", "title_en", "prizes_zh", "prizes_en", "opens_at", "closes_at")  # type: ignore[assignment]  # one fewer
        widgets: ClassVar[dict[str, Any]] = {"opens_at": date_time_input(), "closes_at": date_time_input()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.fields["rules"].widget.attrs["class"] = "moves"

    def clean(self) -> dict[str, Any]:
        """Keep the seconds of a time that nobody changed: the browser's input has none."""
        cleaned = super().clean()
        for name in ("opens_at", "closes_at"):
            stored = getattr(self.instance, name)
            if stored and cleaned.get(name) == stored.replace(second=0, microsecond=0):
                cleaned[name] = stored
        return cleaned


class SeriesForm(SettingsForm):
    """A series; its rounds copy its texts and settings."""

    class Meta:
        model = Series
        fields = (
            "name_zh", "name_en", "track", "first_opens_at", "every_weeks", "length_days", "days_ahead",
            "title_zh", "title_en", "prizes_zh", "prizes_en", "final_after_days", "is_running",
        )  # fmt: skip
        widgets: ClassVar[dict[str, Any]] = {"first_opens_at": date_time_input()}
        help_texts: ClassVar[dict[str, Any]] = {"first_opens_at": ZONE_HINT}

    new_track = forms.CharField(
        label=_("New track: its name in addresses"),
        required=False,
        max_length=30,
        help_text=_(
            "For example “weekly”. Its rounds are open beside those of other tracks and count from 1. Its titles are "
            "the names of the series. Empty: no new track."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.fields["rules"].widget.attrs["class"] = "moves"
        self.order_fields(["name_zh", "name_en", "track", "new_track"])
        del self.fields["lucky_source"]  # the server always draws for a series
        if by_itself.may_not():
            del self.fields["final_after_days"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned["rules"]["lucky_source"] == "typed":
            self.add_error("rules", _("Nobody enters the lucky numbers of a series: let the server draw them."))
        return cleaned

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # not in the stubs: fills the instance with what was entered
        if not self.errors:
            self.fill_settings()

    def clean_new_track(self) -> Track | None:
        """Return the unsaved track that the series begins."""
        slug = self.cleaned_data["new_track"].strip()
        if not slug:
            return None
        names = {f"title_{language}": self.cleaned_data.get(f"name_{language}", "")[:100] for language in ("zh", "en")}
        track = Track(slug=slug, order=1 + Track.objects.count(), **names)
        try:
            track.full_clean(exclude=list(names))
        except ValidationError as error:
            raise ValidationError(error.messages) from None
        return track

    def clean_first_opens_at(self) -> datetime:
        opens_at: datetime = self.cleaned_data["first_opens_at"]
        if "first_opens_at" in self.changed_data and opens_at < clock.now():
            raise ValidationError(_("This time has passed. The first opening must be in the future."))
        return opens_at


class QueueForm(forms.Form):
    """The queue for a level of the library: a series and a slot."""

    series = forms.ModelChoiceField(Series.objects.filter(is_running=True), label=_("Series"), empty_label=None)
    slot = forms.ChoiceField(label=_("Slot"), choices=Slot)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class QueueManyForm(QueueForm):
    """The queues for many levels: all into one, or dealt out in turn over several."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        slots = list(Slot)
        dealt = [slots[:count] for count in range(len(slots), 1, -1)]
        names = [("+".join(some), ", ".join(str(slot.label) for slot in some)) for some in dealt]
        self.fields["slot"].choices = [  # type: ignore[attr-defined]  # it is a ChoiceField
            *Slot.choices,
            (_("Distributed level by level"), names),
        ]

    @property
    def slots(self) -> list[str]:
        chosen: str = self.cleaned_data["slot"]
        return chosen.split("+")


def _count_field(**options: Any) -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=1, max_value=40_000, **options)


class SearchForm(forms.Form):
    """Search criteria for the library; a field named like a Django lookup is used as that lookup."""

    q = forms.CharField(label=_("Title, author, tags"), required=False, max_length=200)
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("all")), *LibraryLevel.State.choices, ("free", _("ready, in no queue"))],
    )
    rights = forms.ChoiceField(
        label=_("Rights"), required=False, choices=[("", _("all")), ("given", _("given")), ("none", _("not noted"))]
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty"),
        required=False,
        choices=[("", _("all")), *((number, str(number)) for number in range(1, 6))],
    )
    boxes__gte = _count_field(label=_("Boxes from"))
    boxes__lte = _count_field(label=_("Boxes up to"))
    width__lte = _count_field(label=_("Columns up to"))
    height__lte = _count_field(label=_("Rows up to"))
    by = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[
            ("", _("newest first")),
            ("oldest", _("oldest first, in file order")),
            ("boxes", _("by boxes")),
            ("size", _("by size")),
            ("title", _("by title")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class RoundSearchForm(forms.Form):
    """Search criteria for rounds; all fields are optional."""

    q = forms.CharField(label=_("Number or title"), required=False, max_length=200)
    phase = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("all")), *((phase.value, PHASE_WORDS[phase]) for phase in Phase)],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


class UseForm(forms.Form):
    """The round and slot for a level."""

    slot = forms.ChoiceField(label=_("Slot"), choices=Slot)
    round = forms.ModelChoiceField(Round.objects.none(), label=_("Round"), required=False, empty_label=_("a new round"))

    def __init__(self, *args: Any, drafts: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        choose_among(self, "round", drafts)


class AnswerForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    class Meta:
        model = Question
        fields = ("answer_zh", "answer_en", "is_public", "public_text")
        labels: ClassVar[dict[str, Any]] = {
            "answer_zh": _("Answer in Chinese"),
            "answer_en": _("Answer in English"),
            "is_public": _("For everybody"),
            "public_text": _("Public version of the question"),
        }
        help_texts: ClassVar[dict[str, Any]] = {"public_text": _("Remove anything that could reveal a method.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})


def date_input() -> forms.DateInput:
    """Return a date input of the browser."""
    return forms.DateInput({"type": "date"}, format="%Y-%m-%d")


class RecordForm(forms.Form):
    """Search criteria for the audit log; all fields are optional."""

    q = forms.CharField(label=_("Keywords"), required=False, max_length=200)
    who = forms.CharField(label=_("Who"), required=False, max_length=150)
    act = forms.CharField(
        label=_("Action"),
        required=False,
        max_length=40,
        widget=forms.TextInput({"list": "acts", "autocomplete": "off"}),
    )
    round = forms.IntegerField(label=_("Round"), required=False, min_value=1, max_value=2**31 - 1)
    since = forms.DateField(label=pgettext_lazy("first day", "From"), required=False, widget=date_input())
    until = forms.DateField(label=pgettext_lazy("last day", "To"), required=False, widget=date_input())


class BannerForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    class Meta:
        model = Banner
        fields = ("text_zh", "text_en", "shown_from", "shown_until")
        widgets: ClassVar[dict[str, Any]] = {"shown_from": date_time_input(), "shown_until": date_time_input()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
