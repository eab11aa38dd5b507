"""The canonical form in which email addresses are stored, used and compared (rule 4.11).

Never compare addresses in the database: PostgreSQL's `upper` turns the dotless ı into I, and the long ſ into S.
"""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from contest.models import Player

LONGEST = 254


class BadAddress(ValueError):
    """An address that cannot be shown to be deliverable; holds a message for the user."""


def canonical(address: str) -> str:
    """Return the ASCII form of *address*, the real mailbox. Raise BadAddress if there is none.

    Upper case becomes lower case. A domain in other letters becomes its IDNA form, if that converts back to exactly
    these letters: others, with the long ſ or the sharp ß, would resolve to somebody else's domain.

    >>> canonical(" Li@Bücher.Example ")
    'li@xn--bcher-kva.example'
    """
    local, _at, domain = address.strip()[: LONGEST + 1].rpartition("@")
    if not (local.isascii() and local.isprintable()):
        raise BadAddress(_("Only letters a to z, digits and symbols are allowed before the @."))
    address = f"{local.lower()}@{_ascii_domain(domain.lower())}"
    try:
        validate_email(address)
    except ValidationError:
        raise BadAddress(_("This is not an email address.")) from None
    if len(address) > LONGEST:
        raise BadAddress(_("This is not an email address."))
    return address


def _ascii_domain(domain: str) -> str:
    """Return the IDNA form of *domain* as used for mail (RFC 3490, like Django)."""
    if domain.isascii():
        return domain
    try:
        encoded = domain.encode("idna")
        if encoded.decode("idna") == domain:
            return encoded.decode("ascii")
    except UnicodeError:
        pass
    raise BadAddress(_("The part after the @ contains letters that do not identify a single domain."))


def canonical_or_none(address: str) -> str | None:
    try:
        return canonical(address)
    except BadAddress:
        return None


def mask(address: str) -> str:
    """Return *address* as staff may see it (rule 4.7)."""
    return Player(email=address).masked_email


class AddressField(forms.EmailField):
    """A form field for an email address, returned in canonical form."""

    def clean(self, value: Any) -> str:
        given = super().clean(value)
        if not given:
            return ""
        try:
            return canonical(given)
        except BadAddress as bad:
            raise ValidationError(str(bad)) from None
