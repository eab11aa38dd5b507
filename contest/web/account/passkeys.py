"""Forms for passkeys, which refuse malformed ones: allauth lets most errors of the parsers through.

Anybody may send a text for a passkey, and an error of the server would write its whole traceback into the log.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AddWebAuthnForm, LoginWebAuthnForm, ReauthenticateWebAuthnForm
from django import forms
from django.forms.fields import InvalidJSONInput
from django.utils.translation import gettext as _

# Raised by `json` and fido2 for texts of the wrong form, or nested deeper than Python reads (RecursionError), and for
# keys of an algorithm that they do not know (NotImplementedError).
_MALFORMED = (AssertionError, AttributeError, LookupError, OverflowError, RuntimeError, TypeError, ValueError)


# Each is read whenever its owner signs in or adds another one.
MOST = 20
LONGEST = 32_768  # characters; with a certificate of its maker a passkey has some thousands


@contextmanager
def _refusing_malformed() -> Iterator[None]:
    """Raise the same ValidationError as for a passkey that is not known."""
    try:
        yield
    except _MALFORMED:
        raise get_adapter().validation_error("incorrect_code") from None


class PasskeyField(forms.JSONField):
    def to_python(self, value: Any) -> Any:
        with _refusing_malformed():
            if len(value or "") > LONGEST:
                raise ValueError
            return super().to_python(value)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Show a malformed text again as it is; Django reads it once more, and lets the same errors through."""
        try:
            return super().bound_data(data, initial)
        except _MALFORMED:
            return InvalidJSONInput(data)


class LoginForm(LoginWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    credential = PasskeyField(widget=forms.HiddenInput)

    def clean_credential(self) -> Any:
        with _refusing_malformed():
            return super().clean_credential()


class ReauthenticateForm(ReauthenticateWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    credential = PasskeyField(widget=forms.HiddenInput)

    def clean_credential(self) -> Any:
        with _refusing_malformed():
            return super().clean_credential()


class AddForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    name = forms.CharField(required=False, max_length=100)
    credential = PasskeyField(widget=forms.HiddenInput)

    def clean(self) -> Any:
        if Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN).count() >= MOST:
            raise forms.ValidationError(_("An account has up to %(most)s passkeys; remove one first.") % {"most": MOST})
        with _refusing_malformed():
            return super().clean()
