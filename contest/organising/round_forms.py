"""The forms of a round and its levels: they call the rules and add errors to the fields."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from contest import levels, rounds, visibility
from contest.infra import clock
from contest.infra.identity import ZONE_HINT, zone_name_lazy
from contest.levels import AdmittedLevel
from contest.models import Level, Round, Slot
from contest.organising.acts import add_errors
from contest.organising.settings_form import SettingsForm
from contest.rounds.tracks import CannotBeUsed, check_levels, note_revealed
from contest.staff.audit_log import Actor
from contest.vetting import orders
from solvers.errors import PuzzleError
from solvers.sokoban.formats.single import read_one


class RoundForm(SettingsForm):
    # The user who fills in the form.
    by: Actor = None

    class Meta:
        model = Round
        fields = (
            "number", "track", "title_zh", "title_en", "prizes_zh", "prizes_en",
            "announced_at", "opens_at", "closes_at",
        )  # fmt: skip
        help_texts: ClassVar[dict[str, Any]] = {
            "opens_at": ZONE_HINT,
            "closes_at": format_lazy(
                _("{zone}. Once the round is open, move the close with “Extend”; it needs a public note."),
                zone=zone_name_lazy(),
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if rounds.is_frozen(self.instance, clock.now()):
            self.freeze_settings()

    def _post_clean(self) -> None:
        # Lock before the number is looked up: concurrent saves of rounds wait until this one is done (rule 2.6).
        rounds.lock_calendar()
        super()._post_clean()  # type: ignore[misc]  # not in the stubs: fills the instance with what was entered
        if self.errors:
            return
        self.fill_settings()
        try:
            rounds.check(self.instance, clock.now(), self.by)
        except CannotBeUsed as refusal:
            note_revealed(refusal, self.by)
            add_errors(self, refusal)
        except ValidationError as error:
            add_errors(self, error)


class LevelForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    text = forms.CharField(
        label=_("Level (XSB)"),
        strip=False,  # blanks before the first row are floor
        widget=forms.Textarea({"rows": 12, "class": "board-text", "spellcheck": "false"}),
        help_text=_(
            "Write one row per line, or join the rows with |. The level is stored as one line, with floor as -."
        ),
    )
    solution = forms.CharField(
        label=_("Organiser's solution"),
        required=False,  # the level check reports a missing solution
        widget=forms.Textarea({"rows": 4, "class": "board-text", "spellcheck": "false"}),
        help_text=_("LURD; shown to nobody before the close. If it is empty, the solver's is taken."),
    )
    confirmed = forms.BooleanField(
        label=_("Publish despite warnings"),
        required=False,
        help_text=_("Tick it when you have read the warnings."),
    )

    class Meta:
        model = Level
        fields = ("slot", "title", "author", "text", "solution")

    passed: AdmittedLevel | None = None

    def __init__(self, *args: Any, round_: Round | None = None, by: Actor = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._round, self._by = round_, by

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        if not cleaned["solution"].strip():
            cleaned["solution"] = self._ask_solver(cleaned["text"])
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

    def _ask_solver(self, text: str) -> str:
        """Return the solver's solution of the level, or nothing; a new level is queued."""
        try:
            board = read_one(text).level
        except PuzzleError:
            return ""
        if not visibility.may_see_vetting(self._by):
            return ""
        orders.queue_vetting(board)
        search = orders.find_vetting(board.sha256)
        if search and search.is_waiting:
            self.add_error("solution", _("The solver is looking for a solution. Save again in a minute, or enter one."))
        return search.witness["lurd"] if search and search.witness else ""

    def save(self, commit: bool = True) -> Level:  # noqa: FBT002 - Django's signature
        if self.passed:
            levels.fill(self.instance, self.passed)
        saved: Level = super().save(commit)
        return saved


class LevelFormSet(forms.BaseInlineFormSet):  # type: ignore[type-arg]  # generic in the stubs only
    # The user who fills in the forms.
    by: Actor = None

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return {**super().get_form_kwargs(index), "round_": self.instance, "by": self.by}

    def clean(self) -> None:
        super().clean()
        if any(self.errors) or rounds.is_frozen(self.instance, clock.now()):
            return  # once open, the levels are frozen and not in the form
        remaining = [form for form in self.forms if form.has_changed() or form.instance.pk]
        remaining = [form for form in remaining if form not in self.deleted_forms]
        boards = [
            levels.fill(form.instance, form.passed) for form in remaining if isinstance(form, LevelForm) and form.passed
        ]
        if repeats := levels.find_repeats(boards):
            raise ValidationError([levels.repeat_message(repeat) for _level, repeat in repeats])
        check_levels(self.instance, at=clock.now(), by=None, keys=[board.key for board in boards])
        slots = {form.cleaned_data.get("slot") for form in remaining}
        if self.instance.announced_at and Slot.MAIN not in slots:
            raise ValidationError(_("An announced round needs a main level."))
