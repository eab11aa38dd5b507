"""Four eyes: with that setting, acts that end a round or a player's part in it wait for a second organiser.

The first organiser fills in the form, which is stored. The second sees its effects in the current state, and confirms
it or sends it back. Both are logged. No other entry point does such an act (`acts.waits_for_two`).
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from contest.models import Round, SecondLook
from contest.organising.acts import Act
from contest.staff import audit_log


@transaction.atomic
def ask(round_: Round, act: Act, given: dict[str, str], *, at: datetime, by: User) -> SecondLook:
    """Store the input of *act* until another organiser confirms it. Raise ValidationError if it already waits."""
    Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    if SecondLook.objects.waiting().filter(round=round_, act=act.name, given=given).exists():
        raise ValidationError(_("This is already waiting for a second organiser."))
    second_look = SecondLook.objects.create(round=round_, act=act.name, given=given, asked_by=by, asked_at=at)
    audit_log.record(by, "ask for a second look", round_, after={"act": act.name})
    return second_look


@transaction.atomic
def confirm(second_look: SecondLook, act: Act, given: dict[str, Any], *, at: datetime, by: User) -> object:
    """Do the requested act with the cleaned *given*. Raise ValidationError for the requester, or if it has ended."""
    second_look = _lock(second_look)
    if second_look.asked_by_id in (None, by.pk):
        raise ValidationError(_("You asked for this: another organiser has to confirm it."))
    _end(second_look, at)
    after = {"act": act.name, "asked_by": second_look.asked_by_id}
    audit_log.record(by, "confirm a second look", second_look.round, after=after)
    return act.run(second_look.round, given, at, by)


@transaction.atomic
def send_back(second_look: SecondLook, *, at: datetime, by: User) -> None:
    """End a request without doing the act; for the requester and for anybody who could have confirmed it."""
    second_look = _lock(second_look)
    _end(second_look, at)
    audit_log.record(by, "send back a second look", second_look.round, after={"act": second_look.act})


def _lock(second_look: SecondLook) -> SecondLook:
    locked = SecondLook.objects.select_for_update(of=("self",)).select_related("round").get(pk=second_look.pk)
    if locked.ended_at:
        raise ValidationError(_("Somebody else has already handled this."))
    return locked


def _end(second_look: SecondLook, at: datetime) -> None:
    second_look.ended_at = at
    second_look.save(update_fields=["ended_at"])
