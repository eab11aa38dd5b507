"""Forms of the account pages: nicknames, reports about names, e-mail updates, sign-in."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm, RequestLoginCodeForm, SignupForm
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.core import context
from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from contest import players, visibility
from contest.infra.attempts import Attempts
from contest.models import NameReport, Player, Topic
from contest.players import accounts, entering, reports
from contest.players.email_addresses import AddressField
from contest.staff.allauth_internals import perform_login
from contest.web.shell.forms import LongSelect, PlainForm, country_choices


class OwnPlayerForm(forms.Form):
    """A form with a choice among the viewer's own players; `is_of_use` is false if the viewer has none."""

    player = forms.ModelChoiceField(Player.objects.none(), label=_("Player"), empty_label=None)

    def __init__(self, viewer: visibility.Viewer, data: object = None) -> None:
        super().__init__(data, label_suffix="")  # type: ignore[arg-type]  # a request's POST or None
        own = accounts.offered_players(viewer)
        self.fields["player"].queryset = own  # type: ignore[attr-defined]  # it is a ModelChoiceField
        self.is_of_use = own.exists()


class ProofForm(PlainForm):
    proof = forms.CharField(
        label=_("Claim secret"),
        max_length=300,
        help_text=_("The secret you were shown once, when the nickname became yours."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class NicknameForm(PlainForm):
    nickname = forms.CharField(label=_("Nickname"), max_length=512)

    def clean_nickname(self) -> str:
        try:
            return players.clean_nickname(self.cleaned_data["nickname"])
        except players.BadName as error:
            raise ValidationError(error.message) from None


class CountryForm(PlainForm):
    country = forms.ChoiceField(label=_("Country/region"), choices=country_choices, required=False, widget=LongSelect)


class AddressForm(PlainForm):
    """An address from a player who is not signed in: it is unverified, so it is accepted only if none is stored."""

    email = AddressField(label=_("Email"), max_length=254)


class VerifiedAddressForm(PlainForm):
    """Form to choose one of the account's verified addresses."""

    email = forms.ChoiceField(label=_("Email"))

    def __init__(self, *args: Any, addresses: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].choices = [(address, address) for address in addresses]  # type: ignore[attr-defined]


class EraseForm(PlainForm):
    sure = forms.BooleanField(label=_("I understand that this cannot be undone."))


class ReportForm(PlainForm):
    """A report about the player in the page's URL."""

    kind = forms.ChoiceField(label=_("What is it about?"), choices=NameReport.Kind)
    text = forms.CharField(
        label=_("What should the organisers know?"),
        max_length=reports.LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    email = AddressField(
        label=_("Email"),
        required=False,
        help_text=_(
            "The organisers' answer or the link is sent here. The address is never shown in full, and it is deleted "
            "afterwards."
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("kind") == NameReport.Kind.CLAIM and not cleaned.get("email") and "email" not in self.errors:
            self.add_error("email", _("Without an email address, the organisers cannot give you the nickname."))
        return cleaned


class LostForm(ReportForm):
    """A claim by a player who lost every proof of a nickname and types the nickname."""

    nickname = forms.CharField(label=_("Nickname"), max_length=512)
    field_order = ["nickname", "email", "text"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["kind"]
        self.fields["email"].required = True

    def clean_nickname(self) -> Player:
        player = entering.find_player(self.cleaned_data["nickname"])
        if not player:
            raise ValidationError(_("Nobody has this nickname: simply use it."))
        return player


class LettersForm(PlainForm):
    """Choose the topics and the language of e-mail updates."""

    topics = forms.MultipleChoiceField(
        label=_("Tell me when"), choices=Topic.choices, widget=forms.CheckboxSelectMultiple, initial=Topic.values
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)


class SubscribeForm(LettersForm):
    """Subscribe an address to e-mail updates."""

    email = AddressField(label=_("Email address"), max_length=254)
    field_order = ("email", "topics", "language")


class LoginForm(RequestLoginCodeForm):  # type: ignore[misc]  # allauth has no types
    """Request a sign-in code. Unlike allauth's other forms, this one does not call the adapter's `clean_email`."""

    def clean_email(self) -> str:
        address = get_adapter().clean_email(self.cleaned_data["email"])
        self.cleaned_data["email"] = address
        owner = User.objects.filter(emailaddress__email=address, emailaddress__verified=True).first()
        if not Attempts(context.request).may("mail", address, owner):
            raise ValidationError(_("Too many codes were requested. Wait a few minutes, or sign in with a passkey."))
        email: str = super().clean_email()
        if owner:
            User.objects.filter(email=address).first()  # the statement that looks for an unknown address a second time
        return email


class NewAccountForm(SignupForm):  # type: ignore[misc]  # allauth has no types
    """Sign up with an address, which may belong to somebody else."""

    def clean_email(self) -> str:
        return _limit_codes(super().clean_email())

    def try_save(self, request: HttpRequest) -> tuple[None, HttpResponse]:
        """Ask for the emailed code; `signing_up` creates the account once it is entered.

        Known and unknown addresses take the same time, as the account's rows are not stored before.
        """
        login = Login(email=self.cleaned_data["email"], signup=True, redirect_url=get_next_redirect_url(request))
        return None, perform_login(request, login)


class NewAddressForm(AddEmailForm):  # type: ignore[misc]  # allauth has no types
    """Add an address to an account; it may belong to somebody else."""

    def clean_email(self) -> str:
        return _limit_codes(super().clean_email())


def _limit_codes(address: str) -> str:
    """Return *address*; raise ValidationError if it received too many codes, which its owner may not have requested."""
    if not Attempts(context.request).may("new-address", address):
        raise ValidationError(_("Too many codes were sent to this address. Try again in an hour."))
    return address
