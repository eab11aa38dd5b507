"""The forms of a round and its levels: they ask the acts and put the answers to the fields."""

import json
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from contest import levels, rounds
from contest.infra import clock
from contest.levels import Passed
from contest.models import Level, Round, Slot
from contest.organising.acts import add_errors
from contest.rules import settings as round_settings
from contest.rules.settings import BadSettings
from contest.wording.settings import fault_words

_BEIJING = _("Beijing time.")


class RoundForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    rules = forms.JSONField(
        label=_("Settings"),
        required=False,  # empty: they stay as they are
        widget=forms.Textarea({"rows": 18, "class": "board-text", "spellcheck": "false"}),
        help_text=_("The round's own rules, as JSON; frozen when it opens. What is left out gets its default."),
    )

    class Meta:
        model = Round
        fields = ("number", "title_zh", "title_en", "prizes_zh", "prizes_en", "announced_at", "opens_at", "closes_at")
        help_texts: ClassVar[dict[str, Any]] = {
            "opens_at": _BEIJING,
            "closes_at": _(
                "Beijing time. Once the round is open, move the close with “Extend”; it needs a public note."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        settings = round_settings.of(self.instance.settings).as_json()
        self.initial["rules"] = settings
        self.fields["rules"].encoder = _OneLineEach  # type: ignore[attr-defined]  # of a JSONField
        self.fields["rules"].disabled = rounds.is_frozen(self.instance, clock.now())

    def clean_rules(self) -> dict[str, Any]:
        """Rule 17: each setting that is wrong is named."""
        rules = self.cleaned_data["rules"]
        if rules is None:
            return round_settings.of(self.instance.settings).as_json()
        if not isinstance(rules, dict):
            raise ValidationError(_("Settings are a JSON object: names with their values."))
        try:
            checked = round_settings.parse(rules)
        except BadSettings as bad:
            raise ValidationError([fault_words(name, fault) for name, fault in bad.faults.items()]) from None
        return checked.as_json()

    def _post_clean(self) -> None:
        # Before the number is looked up: whoever else saves a round waits until this one is saved (rule 2.6).
        rounds.hold_calendar()
        super()._post_clean()  # type: ignore[misc]  # not in the stubs: fills the instance with what was entered
        if self.errors:
            return
        marks = {name: value for name, value in self.instance.settings.items() if name not in round_settings.NAMES}
        self.instance.settings = {**marks, **self.cleaned_data["rules"]}
        try:
            rounds.check(self.instance, clock.now())
        except ValidationError as error:
            add_errors(self, error)


class _OneLineEach(json.JSONEncoder):
    """JSON with a line for each setting, not for each number of points."""

    def encode(self, value: Any) -> str:
        if not isinstance(value, dict):
            return super().encode(value)
        lines = (f"  {json.dumps(name)}: {json.dumps(held)}" for name, held in value.items())
        return "{\n" + ",\n".join(lines) + "\n}"


class LevelForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    text = forms.CharField(
        label=_("Level (XSB)"),
        strip=False,  # blanks before the first row are floor
        widget=forms.Textarea({"rows": 12, "class": "board-text", "spellcheck": "false"}),
        help_text=_("Rows on lines of their own or joined by |. Stored as one line, floor as -."),
    )
    solution = forms.CharField(
        label=_("Organiser's solution"),
        required=False,  # the gate says that it is missing
        widget=forms.Textarea({"rows": 4, "class": "board-text", "spellcheck": "false"}),
        help_text=_("LURD; shown to nobody before the close."),
    )
    confirmed = forms.BooleanField(
        label=_("Publish despite warnings"),
        required=False,
        help_text=_("Tick it when you have read the warnings."),
    )

    class Meta:
        model = Level
        fields = ("slot", "title", "author", "text", "solution")

    passed: Passed | None = None

    def __init__(self, *args: Any, round_: Round | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._round = round_

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        round_ = self._round
        texts = (round_.title_zh, round_.title_en, round_.prizes_zh, round_.prizes_en) if round_ else ()
        try:
            self.passed = levels.check(
                cleaned["text"],
                cleaned["solution"],
                title=cleaned["title"],
                author=cleaned["author"],
                texts=filter(None, texts),
                round_id=self._round.pk if self._round else None,
            )
        except ValidationError as error:
            self.add_error(None, error)
            return cleaned
        if self.has_changed() and self.passed.warnings and not cleaned["confirmed"]:
            self.add_error("confirmed", list(self.passed.warnings))
        return cleaned

    def save(self, commit: bool = True) -> Level:  # noqa: FBT002 - Django's signature
        if self.passed:
            levels.fill(self.instance, self.passed)
        saved: Level = super().save(commit)
        return saved


class LevelFormSet(forms.BaseInlineFormSet):  # type: ignore[type-arg]  # generic in the stubs only
    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return {**super().get_form_kwargs(index), "round_": self.instance}

    def clean(self) -> None:
        super().clean()
        if any(self.errors) or rounds.is_frozen(self.instance, clock.now()):
            return  # once open, the levels are frozen and not in the form
        kept = [form for form in self.forms if form.has_changed() or form.instance.pk]
        kept = [form for form in kept if form not in self.deleted_forms]
        boards = [
            levels.fill(form.instance, form.passed) for form in kept if isinstance(form, LevelForm) and form.passed
        ]
        if repeats := levels.repeats(boards):
            raise ValidationError([levels.repeat_words(one) for _level, one in repeats])
        slots = {form.cleaned_data.get("slot") for form in kept}
        if self.instance.announced_at and Slot.MAIN not in slots:
            raise ValidationError(_("An announced round needs a main level."))
