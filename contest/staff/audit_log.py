"""The record of what organisers do (rule 15.3)."""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import models

from contest.infra import clock
from contest.models import AuditEntry

Actor = User | AnonymousUser | None
_MOST = 100  # so that a program's name fits beside it


def record(
    actor: Actor,
    act: str,
    target: models.Model,
    *,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Write down *act* on *target*; call it in the transaction of the act. None acts for the site itself.

    *before* and *after* hold what changed, as JSON; never an email address, a secret or anybody's moves.
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
    """With the program that acts for them, where one does."""
    program = vars(user).get("program")
    return f"{user.get_username()[:_MOST]} (desk_{program})" if program else user.get_username()


def target_name(target: models.Model) -> str:
    """How the record names a row: a round by its number, everything else by its key.

    >>> from contest.models import Player
    >>> target_name(Player(pk=12))
    'player 12'
    """
    return f"{target._meta.model_name} {getattr(target, 'number', target.pk)}"
