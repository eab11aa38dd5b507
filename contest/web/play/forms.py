"""Forms to submit or check moves."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models import Slot
from contest.submissions import Entry
from contest.submissions.at_once import MAX_BOARD_LENGTH
from contest.web.shell.forms import LongSelect, PlainForm, country_choices

_PASTED = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off", "class": "moves"}


class CheckForm(PlainForm):
    """Moves to judge without submitting, on a pasted board or on the levels of the open round."""

    board = forms.CharField(
        label=_("Level"),
        required=False,
        strip=False,
        max_length=MAX_BOARD_LENGTH,
        help_text=_(
            "XSB, RLE, MF8, a link, or any text with one level. "
            "Leave it empty for the levels of the round that is running."
        ),
        widget=forms.Textarea(attrs=_PASTED | {"rows": 10}),
    )
    moves = forms.CharField(
        label=pgettext_lazy("text", "Moves"),
        strip=False,
        help_text=_("l u r d in upper or lower case (UDLR), run-lengths, arrows; other text is ignored."),
        error_messages={"required": _("Paste your moves here.")},
        widget=forms.Textarea(attrs=_PASTED | {"rows": 6}),
    )


class EntryForm(PlainForm):
    """A submission from the web; `submissions.accept` validates it as it does for every door."""

    moves = forms.CharField(
        label=pgettext_lazy("text", "Moves"),
        strip=False,
        help_text=_(
            "Paste your solution as letters l, u, r, d in upper or lower case. Spaces and line breaks are ignored, "
            "and run-lengths such as 3r2(dl) are allowed. The site finds out which level it solves."
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
    # Set only by the game's script, which retries if it gets no response (rule 5.6).
    idempotency_key = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    @property
    def is_claim_wanted(self) -> bool:
        """Return True if the nickname or claim was refused, so that a claim secret may help."""
        return bool(self["claim"].errors or self["nickname"].errors)

    def mark_wrong_fields(self) -> None:
        """Mark invalid fields with `aria-invalid`."""
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
