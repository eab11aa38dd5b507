"""Changes of an account's credentials: logged and emailed to the owner; changed addresses also end old sessions.

The account page shows the newest changes (`recent_acts`). The email goes to every verified address of the account, so
that an attacker with access to one of them cannot hide a change from the owner.
"""

from collections.abc import Mapping
from typing import Any

from allauth.account import signals as addresses
from allauth.account.models import EmailAddress
from allauth.mfa import signals as factors
from allauth.mfa.models import Authenticator
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contest.infra import clock, identity
from contest.models import AuditEntry, CalendarAddress
from contest.staff import audit_log, letters
from contest.staff.audit_log import Actor

MOST_SHOWN = 20
# Texts for the owner; the audit log page has its own texts for the same acts.
ACT_TEXTS: Mapping[str, Promise] = {
    "add app": gettext_lazy("An authenticator app was added."),
    "add passkey": gettext_lazy("A passkey was added."),
    "remove passkey": gettext_lazy("A passkey was removed."),
    "make recovery codes": gettext_lazy("New recovery codes were made; the old ones no longer work."),
    "use recovery code": gettext_lazy("A recovery code was used."),
    "reset second factor": gettext_lazy("The operator of the site removed the two-step verification."),
    "invite to second factor": gettext_lazy("The operator of the site invited you to set up two-step verification."),
    "change password": gettext_lazy("The password was changed."),
    "prove address": gettext_lazy("An email address was added."),
    "remove address": gettext_lazy("An email address was removed."),
    "change main address": gettext_lazy("The main email address was changed."),
    "calendar address made": gettext_lazy("A private calendar address was created."),
    "change account": gettext_lazy("An organiser changed the user name, the roles or the access of this account."),
    "delete account": gettext_lazy("An organiser deleted this account."),
    "end sessions": gettext_lazy("Another organiser signed you out everywhere."),
    "sign out everywhere": gettext_lazy("All other browsers were signed out."),
}  # fmt: skip


def recent_acts(user: User) -> QuerySet[AuditEntry]:
    """Return the newest acts on the account of *user*, for its owner."""
    return AuditEntry.objects.filter(target=audit_log.target_name(user), act__in=ACT_TEXTS)[:MOST_SHOWN]


def log_and_notify(
    user: User,
    act: str,
    by: Actor,
    *,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    also_to: str = "",
) -> None:
    """Log *act* and notify the owner; *also_to* is an address that the act removed from the account."""
    audit_log.record(by, act, user, reason=reason, before=before, after=after)
    proved = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    at, to = clock.now(), sorted({*proved, user.email, also_to} - {""})
    transaction.on_commit(lambda: _notify_owner(act, to, f"{timezone.localtime(at, identity.zone()):%Y-%m-%d %H:%M}"))


def _notify_owner(act: str, to: list[str], at: str) -> None:
    """Email the owner in all languages of the site: theirs may not be the request's."""

    def compose() -> str:
        template = _(
            "%(act)s\n"
            "%(at)s, %(zone)s\n"
            "\n"
            "If this was you, there is nothing to do. If it was not you, sign in, sign out everywhere else on"
            " the page “My nicknames”, and remove what you did not add. Organisers must also inform the "
            "operator of the site at once."
        )
        text = template % {"act": ACT_TEXTS[act], "at": at, "zone": identity.zone_name()}
        # The owner of a deleted account cannot sign in to check it.
        return text.partition("\n\n")[0] if act == "delete account" else text

    letters.send_in_all_languages(to, f"{identity.names()[1]}: 账号 · account", compose)


def end_sessions(user: User, request: HttpRequest | None = None) -> None:
    """End every session of *user*, except the one that *request* belongs to, and the private calendar address."""
    CalendarAddress.objects.filter(user=user).delete()
    if not user.has_usable_password():
        # Every new unusable password is different, and Django ends sessions that began with another password.
        user.set_unusable_password()
        user.save(update_fields=["password"])
        if request is not None:
            update_session_auth_hash(request, user)
        return
    own_key = request.session.session_key if request is not None else None
    for session in Session.objects.filter(expire_date__gt=clock.now()).exclude(session_key=own_key).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


# Log the changes that django-allauth makes


@receiver(factors.authenticator_added)
def _note_passkey(user: User, authenticator: Authenticator, **_signal: Any) -> None:
    if authenticator.type == Authenticator.Type.WEBAUTHN:
        log_and_notify(user, "add passkey", user)


@receiver(factors.authenticator_removed)
def _note_removal(user: User, authenticator: Authenticator, **_signal: Any) -> None:
    if authenticator.type == Authenticator.Type.WEBAUTHN:
        log_and_notify(user, "remove passkey", user)


@receiver(addresses.email_confirmed)
def _note_address(request: HttpRequest, email_address: EmailAddress, **_signal: Any) -> None:
    if email_address.user == request.user:  # the first address of a new account is not a change
        log_and_notify(email_address.user, "prove address", email_address.user)
        end_sessions(email_address.user, request)


@receiver(addresses.email_removed)
def _after_removal(request: HttpRequest, user: User, email_address: EmailAddress, **_signal: Any) -> None:
    log_and_notify(user, "remove address", user, also_to=email_address.email if email_address.verified else "")
    end_sessions(user, request)


@receiver(addresses.email_changed)
def _after_change(request: HttpRequest, user: User, **_signal: Any) -> None:
    log_and_notify(user, "change main address", user)
    end_sessions(user, request)
