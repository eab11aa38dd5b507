"""The form by which moves come in."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_countries import countries

from contest.models import Slot
from contest.submissions import Entry
from contest.submissions.at_once import LONGEST_BOARD


def country_choices() -> list[tuple[str, str]]:
    """Evaluated for every request, because names and order hang on the language."""
    return [("", "—"), *((country.code, str(country.name)) for country in countries)]


class LongSelect(forms.Select):
    """A choice of hundreds, as Django writes it, which makes two templates of each option: more than a page's own."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:  # noqa: ARG002
        beside = "".join(
            f" {key}" if said is True else f' {key}="{conditional_escape(said)}"'
            for key, said in self.build_attrs(self.attrs, attrs).items()
            if said is not False
        )
        left, lines = set(self.format_value(value)), []
        for code, label in cast("Iterable[tuple[Any, str]]", self.choices):
            is_chosen = str(code) in left
            if is_chosen:  # the first alone, where two have the same code
                left.clear()
            mark = " selected" if is_chosen else ""
            lines.append(f'\n  <option value="{conditional_escape(code)}"{mark}>{conditional_escape(label)}</option>\n')
        # Every part has been escaped.
        return mark_safe(f'<select name="{conditional_escape(name)}"{beside}>{"".join(lines)}\n</select>')  # noqa: S308


_PASTED = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off", "class": "moves"}


class CheckForm(forms.Form):
    """Moves to be judged without being entered, on a board of one's own or on the levels of the round that runs."""

    board = forms.CharField(
        label=_("Level"),
        required=False,
        strip=False,
        max_length=LONGEST_BOARD,
        help_text=_("XSB, RLE or MF8. Leave it empty for the levels of the round that is running."),
        widget=forms.Textarea(attrs=_PASTED | {"rows": 10}),
    )
    moves = forms.CharField(
        label=pgettext_lazy("text", "Moves"),
        strip=False,
        help_text=_("l u r d in upper or lower case (UDLR), run-lengths, arrows; other text is ignored."),
        error_messages={"required": _("Paste your moves here.")},
        widget=forms.Textarea(attrs=_PASTED | {"rows": 6}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class EntryForm(forms.Form):
    """What a player fills in. Whether it is acceptable is decided where every door's entries are."""

    moves = forms.CharField(
        label=pgettext_lazy("text", "Moves"),
        strip=False,
        help_text=_(
            "Paste your solution: letters l, u, r, d in either case; spaces and line breaks do no harm, and "
            "run-lengths such as 3r2(dl) are read. The site finds out which level it solves."
        ),
        error_messages={"required": _("Paste your moves here.")},
        widget=forms.Textarea(attrs=_PASTED | {"rows": 8}),
    )
    nickname = forms.CharField(
        label=_("Nickname"),
        error_messages={"required": _("The nickname cannot be empty.")},
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    country = forms.ChoiceField(label=_("Country/region"), choices=country_choices, required=False, widget=LongSelect)
    email = forms.CharField(
        label=_("Email"),
        required=False,
        help_text=_("Never shown. You can use it later to prove that the nickname is yours."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    claim = forms.CharField(
        label=_("Claim secret"),
        required=False,
        help_text=_("Only needed where this nickname was first used in another browser."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    round = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    slot = forms.ChoiceField(required=False, choices=[("", ""), *Slot.choices], widget=forms.HiddenInput)
    practice = forms.BooleanField(required=False, widget=forms.HiddenInput)
    # Only the player's script has one: it sends again where no answer came (rule 5.6).
    idempotency_key = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    @property
    def is_claim_wanted(self) -> bool:
        """Whether the nickname was refused, for which the claim secret may be the answer."""
        return bool(self["claim"].errors or self["nickname"].errors)

    def mark_wrong_fields(self) -> None:
        """Let the fields themselves say that they are wrong, and by which words."""
        for name in self.errors:
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

    def entry(self) -> Entry:
        given = self.cleaned_data
        return Entry(
            nickname=given["nickname"],
            moves=given["moves"],
            country=given["country"],
            email=given["email"],
            claim=given["claim"].strip(),
            round=given["round"],
            slot=given["slot"],
            practice=given["practice"],
            idempotency_key=given["idempotency_key"],
        )
