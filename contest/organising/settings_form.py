"""The settings of a round as fields with help texts, used in the forms of a round and of a series (rule 17)."""

import json
from typing import Any, cast

from django import forms
from django.conf import settings as site_settings
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from contest.models import Slot, Track
from contest.rules import settings as round_settings
from contest.rules.settings import BadSettings
from contest.wording.settings import choices, describe_fault, title

_HELP: dict[str, Promise] = {
    "scoring_levels": _("Only the ticked levels give points. The other levels still have rankings and records."),
    "move_points": _(
        "Points for rank 1, rank 2 and so on, separated by commas: 20, 19.5, 10. No value may be larger than the one "
        "before it. Leave empty for no points."
    ),
    "push_points": _("Same format as the points by moves. A player's total is the sum of both."),
    "second_champion": _("Who becomes second champion when one player is first by moves and by pushes."),
    "lucky": _("Whether to draw a lucky player after the close, from the players with points who are not champions."),
    "lucky_source": _(
        "If an organiser chooses the number, enter it on the round's page before the round is announced. Players are "
        "informed of this."
    ),
    "lucky_beacon": _(
        "Adds a public random number to the draw. Nobody knows it before the close; an organiser enters it once it is"
        " published."
    ),
    "lucky_on_revision": _("How the lucky player is chosen when final results are revised."),
    "spectator": _("Whether to store and rank solutions that leave one box off the goals."),
    "solutions_public": _("When the solutions become public."),
    "leagues": _("Whether programs compete with humans or among themselves."),
    "organisers_may_enter": _(
        "Whether organisers may enter this round. Unranked entries do not affect other players' ranks."
    ),
    "hors_concours": _(
        "Whether players who proposed a level of this round or made it, or solved it before the opening, enter "
        "unranked."
    ),
    "max_moves": _("Longer solutions are rejected. Choose 1,000 to 2,000,000 moves."),
    "sealed_answers": _(
        "Whether players may send a hash before the close and the moves within a day after it. Until that day is over,"
        " results cannot become final."
    ),
    "machine_levels": _(
        "After the reveal the site's program tries these levels from nothing, and the round's page publishes its"
        " result."
    ),
    "machine_seconds": format_lazy(
        _("For each level, {least} to {most}."),
        least=round_settings.LEAST_MACHINE_SECONDS,
        most=f"{round_settings.MOST_MACHINE_SECONDS:,}",
    ),
}


def _field_options(name: str) -> dict[str, Any]:
    return {"label": title(name), "help_text": _HELP[name], "required": False}


def _choice_field(name: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=choices(name), **_field_options(name))


def _slots_field(name: str) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(choices=Slot.choices, widget=forms.CheckboxSelectMultiple, **_field_options(name))


def _points_field(name: str) -> forms.CharField:
    look = {"rows": 2, "spellcheck": "false", "autocomplete": "off", "inputmode": "decimal"}
    return forms.CharField(widget=forms.Textarea(look), **_field_options(name))


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """Form of an object with settings: a round, or a series that copies them to its rounds.

    A field that was not sent, or a choice left empty, keeps its setting. Pasted JSON fills the fields.
    """

    scoring_levels = _slots_field("scoring_levels")
    move_points = _points_field("move_points")
    push_points = _points_field("push_points")
    second_champion = _choice_field("second_champion")
    spectator = _choice_field("spectator")
    leagues = _choice_field("leagues")
    organisers_may_enter = _choice_field("organisers_may_enter")
    hors_concours = _choice_field("hors_concours")
    solutions_public = _choice_field("solutions_public")
    max_moves = forms.IntegerField(**_field_options("max_moves"))
    sealed_answers = _choice_field("sealed_answers")
    machine_levels = _slots_field("machine_levels")
    machine_seconds = forms.IntegerField(**_field_options("machine_seconds"))
    lucky = _choice_field("lucky")
    lucky_source = _choice_field("lucky_source")
    lucky_beacon = _choice_field("lucky_beacon")
    lucky_on_revision = _choice_field("lucky_on_revision")
    rules = forms.CharField(
        label=_("Settings as JSON"),
        required=False,
        widget=forms.Textarea({"rows": 6, "class": "board-text", "spellcheck": "false"}),
        help_text=_("Overrides the fields above. Missing settings get their default values."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        drop_needless_track(self)
        # Settings edited by hand in the database may not be a dict; this form can repair them.
        stored = self.instance.settings if isinstance(self.instance.settings, dict) else {}
        self._stored = round_settings.of(stored).as_entered()
        self._other_entries = {name: value for name, value in stored.items() if name not in round_settings.NAMES}
        self._pasted: dict[str, Any] = {}
        self.initial = {**self.initial, **_as_entered(self._stored)}
        if self.is_bound and self.data.get(self.add_prefix("rules"), "").strip():
            self._fill_from_pasted()

    def freeze_settings(self) -> None:
        """Show the settings, but ignore submitted changes (rule 2.9)."""
        for name in (*SETTINGS, "rules"):
            if name in self.fields:
                self.fields[name].disabled = True

    def _fill_from_pasted(self) -> None:
        """Fill the fields from the JSON; `clean_rules` reports JSON that cannot be parsed."""
        try:
            self._pasted = _parse_json(self.data[self.add_prefix("rules")])
        except ValidationError:
            return
        sent = cast(QueryDict, self.data).copy()
        for name, value in _as_entered(self._pasted).items():
            sent.setlist(self.add_prefix(name), value if isinstance(value, list) else [value])
        sent[self.add_prefix("rules")] = ""
        self.data = sent

    def clean_rules(self) -> None:
        """Name each invalid setting (rule 17)."""
        if self.cleaned_data["rules"]:
            _parse_json(self.cleaned_data["rules"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        is_frozen = self.fields["rules"].disabled
        entered = self._stored if is_frozen else {**self._stored, **self._pasted, **self._entries(cleaned)}
        try:
            entered = round_settings.parse(entered).as_json()
        except BadSettings as bad:
            for name, fault in bad.faults.items():
                self.add_error(name if name in self.fields else None, describe_fault("", fault))
        cleaned["rules"] = entered
        return cleaned

    def _entries(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """Return the values of the fields that were sent with the form."""
        if not any(self.add_prefix(name) in self.data for name in SETTINGS):
            return {}
        found: dict[str, Any] = {}
        for name in SETTINGS:
            if name not in cleaned or (name in _TABLES and self.add_prefix(name) not in self.data):
                continue
            value = cleaned[name]
            if name in _TABLES:
                found[name] = _parse_points(value)
            elif name in _SLOTS:
                found[name] = value
            elif value not in ("", None):
                found[name] = value == "True" if name in _SWITCHES else value
        return found

    def fill_settings(self) -> None:
        """Store the input in the instance; keep its entries that are not settings."""
        self.instance.settings = {**self._other_entries, **self.cleaned_data["rules"]}

    @property
    def facts(self) -> list[forms.BoundField]:
        """Return the fields that are not settings."""
        return [self[name] for name in self.fields if name not in (*SETTINGS, "rules")]

    @property
    def of_settings(self) -> list[forms.BoundField]:
        return [self[name] for name in SETTINGS if name in self.fields]

    @property
    def wrong_settings(self) -> list[str]:
        """Return the names of refused settings; the page unfolds the settings for them."""
        return [name for name in self.errors if name in (*SETTINGS, "rules")]

    @property
    def as_json(self) -> str:
        """Return the stored settings as JSON, one line per setting instead of one per number of points."""
        lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in self._stored.items())
        return "{\n" + ",\n".join(lines) + "\n}"

    @property
    def quota(self) -> int:
        """Return the number of submissions per player and round: a limit of the site, not a setting (rule 5.9)."""
        return site_settings.QUOTA_PER_ROUND


# In the order of the form, without settings that have one value only or that the site writes itself.
SETTINGS = tuple(name for name in SettingsForm.base_fields if name in _HELP)
_TABLES = ("move_points", "push_points")
_SLOTS = ("scoring_levels", "machine_levels")
_SWITCHES = ("lucky", "spectator", "sealed_answers")


def _parse_json(text: str) -> dict[str, Any]:
    """Parse settings from JSON and add defaults. Raise ValidationError naming each invalid setting."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise ValidationError(_("Enter a valid JSON.")) from None
    if not isinstance(values, dict):
        raise ValidationError(_("Settings must be a JSON object of names and values."))
    try:
        return round_settings.parse({**round_settings.NEW, **values}).as_entered()
    except BadSettings as bad:
        raise ValidationError([describe_fault(name, fault) for name, fault in bad.faults.items()]) from None


def _as_entered(rules: dict[str, Any]) -> dict[str, Any]:
    """Return settings in the format of the fields."""
    written = {name: rules[name] if name in _SLOTS else str(rules[name]) for name in SETTINGS}
    return {**written, **{name: ", ".join(map(str, rules[name])) for name in _TABLES}}


def _parse_points(text: str) -> list[Any]:
    """Parse a list of points; anything but a number stays text, so that `parse` can report its position."""
    for comma in "，、;；\n":
        text = text.replace(comma, ",")
    return [_parse_number(part.strip()) for part in text.removesuffix(",").split(",")] if text.strip(" ,") else []


def _parse_number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def drop_needless_track(form: Any) -> None:
    """Remove the track field if the site has one track. An annotation `has_tracks` on the row saves the query."""
    has_tracks = vars(form.instance).get("has_tracks")
    if "track" in form.fields and not (Track.objects.several() if has_tracks is None else has_tracks):
        del form.fields["track"]
