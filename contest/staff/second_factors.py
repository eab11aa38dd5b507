"""The second factors of the staff: what somebody has, recovery codes, and the way back when a device is lost.

Apps and passkeys are django-allauth's, and so are the rows; what is done to them stands in the record (rule 15.3).
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest

from contest.infra import clock
from contest.models import AuditEntry
from contest.staff import account_acts, audit_log
from contest.staff.allauth_internals import TOTP, RecoveryCodes, did_use_passwordless_login, record_authentication
from contest.staff.audit_log import Actor

_CODES = Authenticator.Type.RECOVERY_CODES
# Without one of these nobody of the staff goes on; recovery codes alone are no factor.
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
FRESH_SECONDS = 600
# How long a password alone may set up the first factor, after the account was made; and an invitation, once.
ENROL_WITHIN = timedelta(days=1)
_AS_STAFF = "signed_in_as_staff"
_INVITED = "second_factor_invitation"


# What a session has proved


@receiver(user_logged_in)
def _begin(request: HttpRequest | None, user: User, **_signal: Any) -> None:
    """A session of the staff begins with a password; a passkey alone opens a player's."""
    if request is not None and user.is_staff and not did_use_passwordless_login(request, user):
        request.session[_AS_STAFF] = user.pk
        record_authentication(request, user, "password")


def began_as_staff(request: HttpRequest) -> bool:
    """Whether its user was of the staff when this session began: a player's login is not made for the desk."""
    return request.user.is_authenticated and request.session.get(_AS_STAFF) == request.user.pk


def came_by_passkey(request: HttpRequest, name: str) -> bool:
    """Whether this session was opened by a passkey of the account called *name*."""
    user = request.user
    is_theirs = isinstance(user, User) and user.get_username() == name
    return is_theirs and bool(did_use_passwordless_login(request, user))


def proved_at(request: HttpRequest, *, by_factor: bool = False) -> float | None:
    """When a second factor, and since then perhaps a password, was last proved in this session.

    With *by_factor* the password does not count: what changes the factors themselves wants one of them.
    """
    if not isinstance(request.user, User) or not began_as_staff(request):
        return None
    records = get_authentication_records(request, request.user)
    if not any(record["method"] == "mfa" for record in records):
        return None
    counting = ("mfa",) if by_factor else ("mfa", "password")
    return max(float(record["at"]) for record in records if record["method"] in counting)


def is_fresh(request: HttpRequest, *, by_factor: bool = False) -> bool:
    """Whether that was within the last ten minutes."""
    at = proved_at(request, by_factor=by_factor)
    return at is not None and time.time() - at <= FRESH_SECONDS


def is_staff(user: Any) -> bool:
    """Whether a second factor guards the account of *user*."""
    return isinstance(user, User) and bool(user.is_staff and user.is_active and settings.SECOND_FACTOR_FOR_STAFF)


def may_change_factors(request: HttpRequest) -> bool:
    """Whether somebody of the staff may see and change what opens their account: by a fresh factor, or the first."""
    return is_fresh(request, by_factor=True) or may_enrol(request)


def have_factor(user: User) -> bool:
    return bool(Authenticator.objects.filter(user_id=user.pk, type__in=FACTORS).exists())


# The first factor


def may_enrol(request: HttpRequest) -> bool:
    """Whether this session may give its user a first factor: on the first day, or with an operator's invitation."""
    user = request.user
    if not isinstance(user, User) or not began_as_staff(request) or have_factor(user):
        return False
    return clock.now() - user.date_joined < ENROL_WITHIN or _is_invitation(user, request.session.get(_INVITED, ""))


@transaction.atomic
def invite(user: User, by: Actor, *, reason: str) -> str:
    """Make a code that lets *user* set up a first factor, once, within a day."""
    account_acts.note(user, "invite to second factor", by, reason=reason)
    return _signer().sign_object(_state(user))


def accept(request: HttpRequest, code: str) -> bool:
    """Keep an invitation in the session of whom it is for."""
    if not isinstance(request.user, User) or not _is_invitation(request.user, code.strip()):
        return False
    request.session[_INVITED] = code.strip()
    return True


def _is_invitation(user: User, code: str) -> bool:
    try:
        return bool(_signer().unsign_object(code, max_age=ENROL_WITHIN) == _state(user))
    except (signing.BadSignature, ValueError, TypeError):
        return False


def _signer() -> signing.TimestampSigner:
    return signing.TimestampSigner(salt="second-factor-invitation")


def _state(user: User) -> list[int]:
    """What the next act on the account changes, so that an invitation works once."""
    return [user.pk, AuditEntry.objects.filter(target=audit_log.target_name(user), act__in=account_acts.WORDS).count()]


@transaction.atomic
def add_app(user: User, secret: str, code: str) -> Authenticator:
    """Make an app the second factor of *user*; the *code* that proved it opens nothing afterwards."""
    app = TOTP.activate(user, secret)
    app.validate_code(code)  # marks it as used
    account_acts.note(user, "add app", user)
    return app.instance


# What somebody has


@dataclass(frozen=True)
class SecondFactors:
    """What somebody has: an app since when, passkeys by name, and how many recovery codes are left."""

    app_since: datetime | None
    passkeys: list[str]
    codes_left: int


def factors_of(user: User) -> SecondFactors:
    rows = list(Authenticator.objects.filter(user_id=user.pk).order_by("created_at"))
    apps = [row.created_at for row in rows if row.type == Authenticator.Type.TOTP]
    passkeys = [str(row) for row in rows if row.type == Authenticator.Type.WEBAUTHN]
    codes = [row.wrap().get_unused_codes() for row in rows if row.type == _CODES]
    return SecondFactors(apps[0] if apps else None, passkeys, len(codes[0]) if codes else 0)


@transaction.atomic
def make_codes(user: User) -> list[str]:
    """Make new recovery codes; the old ones hold no longer. They are shown once."""
    User.objects.select_for_update().get(pk=user.pk)
    Authenticator.objects.filter(user_id=user.pk, type=_CODES).delete()
    made = RecoveryCodes.activate(user)
    account_acts.note(user, "make recovery codes", user)
    codes: list[str] = made.get_unused_codes()
    return codes


@transaction.atomic
def use_code(user: User, code: str) -> Authenticator | None:
    """Spend a recovery code; None where it is none of the unused ones."""
    kept = Authenticator.objects.filter(user_id=user.pk, type=_CODES).first()
    given = "".join(code.split()).replace("-", "")
    if kept is None or not kept.wrap().validate_code(given):
        return None
    account_acts.note(user, "use recovery code", user)
    return kept


@transaction.atomic
def reset(user: User, by: Actor, *, reason: str) -> int:
    """Take every factor and recovery code from *user*, and end every session of theirs; return how many factors.

    The password stays; a new factor wants an invitation.
    """
    gone = Authenticator.objects.filter(user_id=user.pk)
    count: int = gone.exclude(type=_CODES).count()
    gone.delete()
    account_acts.end_sessions(user)
    user.desk_tokens.filter(revoked_at=None).update(revoked_at=clock.now())
    account_acts.note(user, "reset second factor", by, reason=reason, before={"factors": count})
    return count
