"""Second factors of the staff: what a user has, recovery codes, and recovery after the loss of a device.

Apps, passkeys and their rows are django-allauth's; changes to them are written to the audit log (rule 15.3).
"""

import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core import signing
from django.core.cache import cache
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from contest.infra import clock
from contest.models import AuditEntry
from contest.staff import account_acts, audit_log
from contest.staff.allauth_internals import (
    TOTP,
    RecoveryCodes,
    did_use_passwordless_login,
    post_authentication,
    record_authentication,
)
from contest.staff.audit_log import Actor

_CODES = Authenticator.Type.RECOVERY_CODES
# Staff must have one of these; recovery codes alone are no second factor.
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
FRESH_SECONDS = 600
# How long after its creation an account may set up the first factor by password alone; also an invitation's lifetime.
ENROL_WITHIN = timedelta(days=1)
# How long a code is valid: its own step of 30 s, and those of MFA_TOTP_TOLERANCE before and after.
_CODE_SECONDS = 30 * (1 + 2 * settings.MFA_TOTP_TOLERANCE)
_AS_STAFF = "signed_in_as_staff"
_INVITED = "second_factor_invitation"


# Proofs in a session


@receiver(user_logged_in)
def _start_staff_session(request: HttpRequest | None, user: User, **_signal: Any) -> None:
    """Start a staff session after a login with password; a login by passkey alone starts a player's session."""
    if request is not None and user.is_staff and not did_use_passwordless_login(request, user):
        request.session[_AS_STAFF] = user.pk
        record_authentication(request, user, "password")


def began_as_staff(request: HttpRequest) -> bool:
    """Return True if this session began as a staff session: a player's login does not open the desk."""
    return request.user.is_authenticated and request.session.get(_AS_STAFF) == request.user.pk


def signed_in_by_passkey(request: HttpRequest, name: str) -> bool:
    """Return True if this session was opened with a passkey of the account called *name*."""
    user = request.user
    is_own_name = isinstance(user, User) and user.get_username() == name
    return is_own_name and bool(did_use_passwordless_login(request, user))


def proved_at(request: HttpRequest, *, by_factor: bool = False) -> float | None:
    """Return the time of the session's last proof by second factor, or by a password after one; None without one.

    With *by_factor*, a password does not count: changing second factors requires one of them.
    """
    if not isinstance(request.user, User) or not began_as_staff(request):
        return None
    records = get_authentication_records(request, request.user)
    if not any(record["method"] == "mfa" for record in records):
        return None
    counting = ("mfa",) if by_factor else ("mfa", "password")
    return max(float(record["at"]) for record in records if record["method"] in counting)


def is_fresh(request: HttpRequest, *, by_factor: bool = False) -> bool:
    """Return True if the last proof is at most ten minutes old."""
    at = proved_at(request, by_factor=by_factor)
    return at is not None and time.time() - at <= FRESH_SECONDS


def is_staff(user: Any) -> bool:
    """Return True if a second factor protects the account of *user*."""
    return isinstance(user, User) and bool(user.is_staff and user.is_active and settings.SECOND_FACTOR_FOR_STAFF)


def may_change_factors(request: HttpRequest) -> bool:
    """Return True if a staff member may see and change their credentials: by a fresh factor, or to add the first."""
    return is_fresh(request, by_factor=True) or may_enrol(request)


def on_locked_account(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Lock the account of a staff member while *view* answers a POST, unless its session was ended meanwhile.

    Otherwise what the request adds to the account would outlast a reset, which has not seen it.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if request.method != "POST" or not (isinstance(user, User) and is_staff(user)):
            return view(request, *args, **kwargs)
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            if not request.session.exists(request.session.session_key or ""):
                raise SessionInterrupted
            return view(request, *args, **kwargs)

    return answer


def has_factor(user: User) -> bool:
    return bool(Authenticator.objects.filter(user_id=user.pk, type__in=FACTORS).exists())


# Setting up the first factor


@receiver(authenticator_added)
def _take_first_passkey_as_proof(
    request: HttpRequest, user: User, authenticator: Authenticator, **_signal: Any
) -> None:
    """Count the passkey that has just been added as a proof: asking for it at once would prove nothing more."""
    others = Authenticator.objects.filter(user_id=user.pk, type__in=FACTORS).exclude(pk=authenticator.pk)
    if authenticator.type == Authenticator.Type.WEBAUTHN and is_staff(user) and not others.exists():
        post_authentication(request, authenticator, reauthenticated=True)


def may_enrol(request: HttpRequest) -> bool:
    """Return True if the user may set up a first factor: on the first day, or with an operator's invitation."""
    user = request.user
    if not isinstance(user, User) or not began_as_staff(request) or has_factor(user):
        return False
    return clock.now() - user.date_joined < ENROL_WITHIN or _is_invitation(user, request.session.get(_INVITED, ""))


@transaction.atomic
def invite(user: User, by: Actor, *, reason: str) -> str:
    """Return a code that lets *user* set up a first factor, once, within a day."""
    account_acts.log_and_notify(user, "invite to second factor", by, reason=reason)
    return _signer().sign_object(_account_state(user))


def accept_invitation(request: HttpRequest, code: str) -> bool:
    """Store a valid invitation in the session; return False if it is not valid for the user."""
    if not isinstance(request.user, User) or not _is_invitation(request.user, code.strip()):
        return False
    request.session[_INVITED] = code.strip()
    return True


def _is_invitation(user: User, code: str) -> bool:
    try:
        return bool(_signer().unsign_object(code, max_age=ENROL_WITHIN) == _account_state(user))
    except (signing.BadSignature, ValueError, TypeError):
        return False


def _signer() -> signing.TimestampSigner:
    return signing.TimestampSigner(salt="second-factor-invitation")


def _account_state(user: User) -> list[int]:
    """Return a value that the next act on the account changes, so that an invitation works once."""
    acts = AuditEntry.objects.filter(target=audit_log.target_name(user), act__in=account_acts.ACT_TEXTS)
    return [user.pk, acts.count()]


@transaction.atomic
def add_app(user: User, secret: str, code: str) -> Authenticator:
    """Add an app as a second factor of *user*; the *code* that proved it cannot be used again."""
    app = TOTP.activate(user, secret)
    use_app_code(app.instance, code)
    account_acts.log_and_notify(user, "add app", user)
    return app.instance


def qr_code(url: str) -> str:
    """Return the QR code as a data: URL: the Content-Security-Policy allows data: images but no inline styles."""
    return "data:image/svg+xml;base64," + b64encode(get_adapter().build_totp_svg(url).encode()).decode()


def use_app_code(app: Authenticator, code: str) -> bool:
    """Return True for the code of an app, once: allauth forgets used codes before the tolerance ends."""
    digits = "".join(filter(str.isdigit, code))
    return app.wrap().validate_code(code) and cache.add(f"app-code:{app.pk}:{digits}", "", _CODE_SECONDS)


# Factors and recovery codes


@dataclass(frozen=True)
class SecondFactors:
    """The factors of a user: when the app was added, names of passkeys, and the number of unused recovery codes."""

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
    """Create and return new recovery codes, to be shown once; the old ones become invalid."""
    User.objects.select_for_update().get(pk=user.pk)
    Authenticator.objects.filter(user_id=user.pk, type=_CODES).delete()
    authenticator = RecoveryCodes.activate(user)
    account_acts.log_and_notify(user, "make recovery codes", user)
    codes: list[str] = authenticator.get_unused_codes()
    return codes


@transaction.atomic
def use_code(user: User, code: str) -> Authenticator | None:
    """Use up a recovery code; return None if it is not an unused one."""
    User.objects.select_for_update().get(pk=user.pk)  # new codes, or a reset, may be replacing it
    authenticator = Authenticator.objects.filter(user_id=user.pk, type=_CODES).first()
    given = "".join(code.split()).replace("-", "")
    if authenticator is None or not authenticator.wrap().validate_code(given):
        return None
    account_acts.log_and_notify(user, "use recovery code", user)
    return authenticator


@transaction.atomic
def reset(user: User, by: Actor, *, reason: str) -> int:
    """Remove all factors and recovery codes of *user* and end all sessions; return the number of factors.

    The password stays; setting up a new factor requires an invitation.
    """
    User.objects.select_for_update().get(pk=user.pk)
    authenticators = Authenticator.objects.filter(user_id=user.pk)
    count: int = authenticators.exclude(type=_CODES).count()
    authenticators.delete()
    account_acts.end_sessions(user)
    user.desk_tokens.filter(revoked_at=None).update(revoked_at=clock.now())
    account_acts.log_and_notify(user, "reset second factor", by, reason=reason, before={"factors": count})
    return count
