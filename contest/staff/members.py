"""The people of the staff: invited by a link that works once, given a role, taken off again.

The link is no row: it holds for the password that the account has when the link is made, and whoever opens it chooses
another. What opens an account is told to its owner (`account_acts`); who gave which role stands in the record.
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
from contest.models import Track
from contest.staff import account_acts, audit_log, second_factors
from contest.staff.audit_log import Actor
from contest.staff.roles import ROLES

INVITED_FOR = timedelta(days=3)
_SALT = "staff-invitation"


def members() -> QuerySet[User]:
    """Everybody of the staff by name; `has_factor` says who has a second factor."""
    factors = Authenticator.objects.filter(user=OuterRef("pk"), type__in=second_factors.FACTORS)
    held = User.objects.filter(is_staff=True, is_active=True).annotate(has_factor=Exists(factors))
    return held.prefetch_related("groups", "owned_tracks").order_by("username")


def is_awaited(user: User) -> bool:
    """Whether *user* was invited and has not come yet."""
    return not user.has_usable_password()


@transaction.atomic
def invite(name: str, role: str, *, by: Actor, tracks: Collection[str] = ()) -> tuple[User, str]:
    """Make an account for somebody called *name*, and the code of the link that opens it, once, within three days.

    *tracks* are those that an organiser of tracks has.

    Raise ValidationError for a name that is taken: a player's account never becomes one of the staff by itself.
    """
    if User.objects.filter(username__iexact=name).exists():
        raise ValidationError({"username": _("There is an account of this name already.")})
    user = User(username=name, is_staff=True, date_joined=clock.now())
    user.set_unusable_password()
    user.save()
    user.groups.set([Group.objects.get(name=role)])
    user.owned_tracks.set(Track.objects.filter(slug__in=tracks))
    audit_log.record(by, "invite member", user, after={"name": name, "role": role, **_names_of(tracks)})
    return user, _code(user)


@transaction.atomic
def make_link(user: User, *, by: Actor, reason: str) -> str:
    """Make the code of a new link; the password, every second factor and every session of *user* end, and older links.

    What is needed when somebody lost all of them, or never came.
    """
    second_factors.reset(user, by, reason=reason)
    user.set_unusable_password()
    user.save(update_fields=["password"])
    audit_log.record(by, "make staff link", user, reason=reason)
    return _code(user)


def person_of(code: str) -> User | None:
    """Whom the link *code* is for; None where it was used, is too old or was replaced by a newer one."""
    try:
        pk, state = signing.loads(code, salt=_SALT, max_age=INVITED_FOR)
        user = User.objects.filter(pk=pk, is_staff=True, is_active=True).first()
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return user if user is not None and state == _state(user) else None


@transaction.atomic
def join(code: str, password: str) -> User | None:
    """Give the invited their password: their first day begins, in which it sets up the second factor.

    None where *code* holds no longer: of two who open the link at once one comes in.
    """
    found = person_of(code)
    user = User.objects.select_for_update().get(pk=found.pk) if found else None
    if user is None or person_of(code) is None:
        return None
    user.set_password(password)
    user.date_joined = clock.now()
    user.save(update_fields=["password", "date_joined"])
    audit_log.record(user, "join staff", user)
    return user


@transaction.atomic
def give_role(user: User, role: str, *, by: Actor, tracks: Collection[str] = ()) -> None:
    """Let *user* have *role* and no other, with *tracks* for an organiser of tracks.

    An empty one takes them off the staff and ends every session of theirs.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    before = sorted(user.groups.values_list("name", flat=True))
    owned = list(user.owned_tracks.values_list("slug", flat=True))
    user.owned_tracks.set(Track.objects.filter(slug__in=tracks))
    user.groups.set(Group.objects.filter(name=role) if role in ROLES else [])
    user.desk_tokens.filter(revoked_at=None).update(revoked_at=clock.now())
    if not role:
        User.objects.filter(pk=user.pk).update(is_staff=False)
        account_acts.end_sessions(user)
    was, is_now = {"roles": before, **_names_of(owned)}, {"roles": [role] if role else [], **_names_of(tracks)}
    audit_log.record(by, "give role", user, before=was, after=is_now)


@transaction.atomic
def end_sessions(user: User, *, by: Actor) -> None:
    """Sign *user* out everywhere."""
    account_acts.end_sessions(user)
    account_acts.note(user, "end sessions", by)


@transaction.atomic
def reset_factor(user: User, *, by: Actor, reason: str) -> str:
    """Take every second factor from *user*, and make the invitation that sets up another, once, within a day."""
    second_factors.reset(user, by, reason=reason)
    return second_factors.invite(user, by, reason=reason)


def may_manage(manager: User, user: User) -> bool:
    """Whether *manager* may change *user*: nobody their own account here, and a superuser only another superuser."""
    return manager.pk != user.pk and (manager.is_superuser or not user.is_superuser)


def _names_of(tracks: Collection[str]) -> dict[str, list[str]]:
    """Tracks as the record keeps them, where there are any."""
    return {"tracks": sorted(tracks)} if tracks else {}


def _code(user: User) -> str:
    return signing.dumps([user.pk, _state(user)], salt=_SALT)


def _state(user: User) -> str:
    """What a new password changes, so that a link works once."""
    return salted_hmac(_SALT, user.password).hexdigest()[:16]
