"""The one form in which an email address is kept, sent to and compared (rule 4.11).

No database compares addresses: `upper` of PostgreSQL makes an I of the dotless ı, and an S of the long ſ.
"""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from contest.models import Player

LONGEST = 254


class BadAddress(ValueError):
    """What no letter can be shown to reach; says so in words for the person."""


def canonical(address: str) -> str:
    """Return the ASCII form of *address*: the box that letters go to. Raise BadAddress where there is none.

    Capitals become small. A domain in other letters takes its IDNA form, if that leads back to these very letters:
    the network would lead others, like the long ſ or the sharp ß, to somebody else's domain.

    >>> canonical(" Li@Bücher.Example ")
    'li@xn--bcher-kva.example'
    """
    local, _at, domain = address.strip()[: LONGEST + 1].rpartition("@")
    if not (local.isascii() and local.isprintable()):
        raise BadAddress(_("Before the @ there may only be letters from a to z, digits and signs."))
    found = f"{local.lower()}@{_ascii_domain(domain.lower())}"
    try:
        validate_email(found)
    except ValidationError:
        raise BadAddress(_("This is not an email address.")) from None
    if len(found) > LONGEST:
        raise BadAddress(_("This is not an email address."))
    return found


def _ascii_domain(domain: str) -> str:
    """The IDNA form of *domain* as mail is sent to it (RFC 3490, as Django does)."""
    if domain.isascii():
        return domain
    try:
        found = domain.encode("idna")
        if found.decode("idna") == domain:
            return found.decode("ascii")
    except UnicodeError:
        pass
    raise BadAddress(_("The part after the @ has letters that do not name one domain alone."))


def canonical_or_none(address: str) -> str | None:
    try:
        return canonical(address)
    except BadAddress:
        return None


def mask(address: str) -> str:
    """What the staff may see of *address* (rule 4.7)."""
    return Player(email=address).masked_email


class AddressField(forms.EmailField):
    """An address of a form, in its canonical form."""

    def clean(self, value: Any) -> str:
        given = super().clean(value)
        if not given:
            return ""
        try:
            return canonical(given)
        except BadAddress as bad:
            raise ValidationError(str(bad)) from None
