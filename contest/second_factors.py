"""The second factors of the staff: what somebody has, recovery codes, and the way back when a device is lost.

Apps and passkeys are django-allauth's, and so are the rows; what is done to them stands in the record (rule 15.3).
"""

from dataclasses import dataclass
from datetime import datetime

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction

from contest import audit, clock
from contest.audit import Actor

_CODES = Authenticator.Type.RECOVERY_CODES
# Without one of these nobody of the staff goes on; recovery codes alone are no factor.
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


@dataclass(frozen=True)
class Held:
    """What somebody has: an app since when, passkeys by name, and how many recovery codes are left."""

    app_since: datetime | None
    passkeys: list[str]
    codes_left: int


def held(user: User) -> Held:
    rows = list(Authenticator.objects.filter(user_id=user.pk).order_by("created_at"))
    apps = [row.created_at for row in rows if row.type == Authenticator.Type.TOTP]
    passkeys = [str(row) for row in rows if row.type == Authenticator.Type.WEBAUTHN]
    codes = [RecoveryCodes(row).get_unused_codes() for row in rows if row.type == _CODES]
    return Held(apps[0] if apps else None, passkeys, len(codes[0]) if codes else 0)


@transaction.atomic
def make_codes(user: User) -> list[str]:
    """Make new recovery codes; the old ones hold no longer. They are shown once."""
    User.objects.select_for_update().get(pk=user.pk)
    Authenticator.objects.filter(user_id=user.pk, type=_CODES).delete()
    made = RecoveryCodes.activate(user)
    audit.record(user, "make recovery codes", user)
    codes: list[str] = made.get_unused_codes()
    return codes


@transaction.atomic
def use_code(user: User, code: str) -> Authenticator | None:
    """Spend a recovery code; None where it is none of the unused ones."""
    kept = Authenticator.objects.filter(user_id=user.pk, type=_CODES).first()
    given = "".join(code.split()).replace("-", "")
    if kept is None or not RecoveryCodes(kept).validate_code(given):
        return None
    audit.record(user, "use recovery code", user)
    return kept


@transaction.atomic
def reset(user: User, by: Actor, *, reason: str) -> int:
    """Take every factor and recovery code from *user*, and end every session of theirs; return how many factors.

    The next sign-in leads to a new factor; the password stays.
    """
    gone = Authenticator.objects.filter(user_id=user.pk)
    count: int = gone.exclude(type=_CODES).count()
    gone.delete()
    for session in Session.objects.filter(expire_date__gt=clock.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()
    audit.record(by, "reset second factor", user, reason=reason, before={"factors": count})
    return count
