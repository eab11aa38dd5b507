"""The audit log of organisers' acts (rule 15.3)."""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import models

from contest.infra import clock
from contest.models import AuditEntry

Actor = User | AnonymousUser | None
_MOST = 100  # leaves room for a program's name


def record(
    actor: Actor,
    act: str,
    target: models.Model,
    *,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Log *act* on *target*; call it in the transaction of the act. If *actor* is None, the site itself acts.

    *before* and *after* hold the changed values as JSON; never an email address, a secret or a player's moves.
    """
    user = actor if isinstance(actor, User) else None
    AuditEntry.objects.create(
        at=clock.now(),
        actor=user,
        actor_name=_name_of(user) if user else "",
        act=act,
        target=target_name(target),
        reason=reason,
        before=before or {},
        after=after or {},
    )


def _name_of(user: User) -> str:
    """Return the user name, with the program that acts for the user, if any."""
    program = vars(user).get("program")
    return f"{user.get_username()[:_MOST]} (desk_{program})" if program else user.get_username()


def target_name(target: models.Model) -> str:
    """Return the name of a row in the audit log: a round by its number, other rows by their primary key.

    >>> from contest.models import Player
    >>> target_name(Player(pk=12))
    'player 12'
    """
    return f"{target._meta.model_name} {getattr(target, 'number', target.pk)}"
