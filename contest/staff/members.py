"""Staff members: invited by a link that works once, given a role, removed again.

The link is not stored: it is signed over the account's current password hash, so choosing a password invalidates it.
Owners are notified of changes to their credentials (`account_acts`); the audit log records who gave which role.
"""

from collections.abc import Collection
from datetime import timedelta

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, User
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import CalendarAddress, Track
from contest.staff import account_acts, audit_log, second_factors
from contest.staff.audit_log import Actor
from contest.staff.roles import ROLES

INVITED_FOR = timedelta(days=3)
_SALT = "staff-invitation"


def members() -> QuerySet[User]:
    """Return all active staff by name, annotated with `has_factor`: whether they have a second factor."""
    factors = Authenticator.objects.filter(user=OuterRef("pk"), type__in=second_factors.FACTORS)
    staff = User.objects.filter(is_staff=True, is_active=True).annotate(has_factor=Exists(factors))
    return staff.prefetch_related("groups", "owned_tracks").order_by("username")


def is_awaited(user: User) -> bool:
    """Return True if *user* was invited and has not joined yet."""
    return not user.has_usable_password()


@transaction.atomic
def invite(name: str, role: str, *, by: Actor, tracks: Collection[str] = ()) -> tuple[User, str]:
    """Create a staff account called *name* and the code of its link, which works once, within three days.

    *tracks* are the tracks of an organiser of tracks.

    Raise ValidationError if the name is taken: a player's account never becomes a staff account by itself.
    """
    if User.objects.filter(username__iexact=name).exists():
        raise ValidationError({"username": _("An account with this name already exists.")})
    user = User(username=name, is_staff=True, date_joined=clock.now())
    user.set_unusable_password()
    user.save()
    user.groups.set([Group.objects.get(name=role)])
    user.owned_tracks.set(Track.objects.filter(slug__in=tracks))
    audit_log.record(by, "invite member", user, after={"name": name, "role": role, **_tracks_for_log(tracks)})
    return user, _sign_link_code(user)


@transaction.atomic
def make_link(user: User, *, by: Actor, reason: str) -> str:
    """Return the code of a new link; end the password, second factors, sessions and older links of *user*.

    Needed if a member lost all of them, or never joined.
    """
    second_factors.reset(user, by, reason=reason)
    user.set_unusable_password()
    user.save(update_fields=["password"])
    audit_log.record(by, "make staff link", user, reason=reason)
    return _sign_link_code(user)


def find_invited_user(code: str) -> User | None:
    """Return the user the link *code* is for, or None if it was used, is too old or was replaced by a newer one."""
    try:
        pk, state = signing.loads(code, salt=_SALT, max_age=INVITED_FOR)
        user = User.objects.filter(pk=pk, is_staff=True, is_active=True).first()
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return user if user is not None and state == _password_digest(user) else None


@transaction.atomic
def join(code: str, password: str) -> User | None:
    """Set the invited user's password. The first day begins, in which a second factor can be set up.

    None if *code* is no longer valid: if two requests open the link at once, one succeeds.
    """
    invited = find_invited_user(code)
    user = User.objects.select_for_update().get(pk=invited.pk) if invited else None
    if user is None or find_invited_user(code) is None:
        return None
    user.set_password(password)
    user.date_joined = clock.now()
    user.save(update_fields=["password", "date_joined"])
    audit_log.record(user, "join staff", user)
    return user


@transaction.atomic
def give_role(user: User, role: str, *, by: Actor, tracks: Collection[str] = ()) -> None:
    """Give *user* only the role *role*, with *tracks* for an organiser of tracks.

    An empty role removes the user from the staff and ends all their sessions.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    before = sorted(user.groups.values_list("name", flat=True))
    owned = list(user.owned_tracks.values_list("slug", flat=True))
    user.owned_tracks.set(Track.objects.filter(slug__in=tracks))
    user.groups.set(Group.objects.filter(name=role) if role in ROLES else [])
    user.desk_tokens.filter(revoked_at=None).update(revoked_at=clock.now())
    CalendarAddress.objects.filter(user=user).delete()
    if not role:
        User.objects.filter(pk=user.pk).update(is_staff=False)
        account_acts.end_sessions(user)
    was = {"roles": before, **_tracks_for_log(owned)}
    is_now = {"roles": [role] if role else [], **_tracks_for_log(tracks)}
    audit_log.record(by, "give role", user, before=was, after=is_now)


@transaction.atomic
def end_sessions(user: User, *, by: Actor) -> None:
    """Sign *user* out everywhere, and end the private calendar address."""
    account_acts.end_sessions(user)
    account_acts.log_and_notify(user, "end sessions", by)


@transaction.atomic
def reset_factor(user: User, *, by: Actor, reason: str) -> str:
    """Remove all second factors of *user*; return an invitation to set up another, valid once, within a day."""
    second_factors.reset(user, by, reason=reason)
    return second_factors.invite(user, by, reason=reason)


def may_manage(manager: User, user: User) -> bool:
    """Return True if *manager* may change *user*: not their own account, and a superuser's only as a superuser."""
    return manager.pk != user.pk and (manager.is_superuser or not user.is_superuser)


def _tracks_for_log(tracks: Collection[str]) -> dict[str, list[str]]:
    """Return *tracks* for the audit log, or an empty dict if there are none."""
    return {"tracks": sorted(tracks)} if tracks else {}


def _sign_link_code(user: User) -> str:
    return signing.dumps([user.pk, _password_digest(user)], salt=_SALT)


def _password_digest(user: User) -> str:
    """Return a digest that a new password changes, so that a link works once."""
    return salted_hmac(_SALT, user.password).hexdigest()[:16]
