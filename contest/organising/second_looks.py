"""Four eyes: with that setting, acts that change results or a player's part in them wait for a second organiser.

The first organiser fills in the form, which is stored. The second sees its effects in the current state, and confirms
it or sends it back with a reason. Both are logged. No other page does such an act (`acts.waits_for_two`).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from contest.infra import identity
from contest.models import Player, Rejudging, Round, SecondLook, Submission
from contest.organising.acts import Act
from contest.organising.round_acts import ACTS
from contest.staff import audit_log, letters, track_owners
from contest.wording import times

REMIND_AFTER = timedelta(days=1)
# Related rows that name a request.
RELATED = ("round", "submission__round", "submission__player", "player", "rejudging", "asked_by")
_COLUMNS = {Round: "round", Submission: "submission", Player: "player", Rejudging: "rejudging"}
_ON_ROUNDS = {act.name: act.permissions for act in ACTS}


def list_waiting(user: User, among: "QuerySet[SecondLook] | None" = None) -> list[SecondLook]:
    """Return the waiting requests that *user* may decide; without a query if the setting FOUR_EYES is off."""
    if not settings.FOUR_EYES:
        return []
    rows = SecondLook.objects.all() if among is None else among
    return [look for look in rows.filter(ended_at=None).select_related(*RELATED) if may_decide(user, look)]


def name_about(second_look: SecondLook) -> str:
    """Return what a request is about, for lists and emails."""
    if sent := second_look.submission:
        return f"{sent.round} · {sent} · {sent.player}"
    return str(second_look.about or _("Rounds with published results"))


def may_decide(user: User, second_look: SecondLook) -> bool:
    """Return True if *user* has the permission for the requested act."""
    track = second_look.track
    if track is None:
        return any(user.has_perm(f"contest.{permission}") for permission in _permissions(second_look))
    return any(track_owners.may(user, permission, track) for permission in _permissions(second_look))


def _permissions(second_look: SecondLook) -> tuple[str, ...]:
    if second_look.player_id:
        return ("change_player",)
    if second_look.submission_id or second_look.rejudging_id:
        return ("change_submission",)
    return _ON_ROUNDS[second_look.act] or ("change_round",)


@transaction.atomic
def ask(about: Any, act: str, given: dict[str, str], *, at: datetime, by: User) -> SecondLook:
    """Store the input of *act* until another organiser confirms it. Raise ValidationError if it already waits.

    *about* is a round, submission, player or rejudging; anything else stands for all rounds that need a revision.
    """
    target: dict[str, Any] = dict.fromkeys(_COLUMNS.values())
    if column := _COLUMNS.get(type(about)):
        target[column] = type(about).objects.select_for_update(no_key=True).get(pk=about.pk)
    same = {name: value for name, value in target.items() if value} or {f"{name}__isnull": True for name in target}
    if SecondLook.objects.waiting().filter(**same, act=act, given=given).exists():
        raise ValidationError(_("This is already waiting for a second organiser."))
    second_look = SecondLook.objects.create(**target, act=act, given=given, asked_by=by, asked_at=at)
    _record(by, "ask for a second look", second_look)
    return second_look


@transaction.atomic
def confirm(second_look: SecondLook, act: Act, about: Any, given: dict[str, Any], *, at: datetime, by: User) -> object:
    """Do the requested act with the cleaned *given*. Raise ValidationError for the requester, or if it has ended."""
    second_look = _lock(second_look)
    if second_look.asked_by_id in (None, by.pk):
        raise ValidationError(_("You asked for this: another organiser has to confirm it."))
    _end(second_look, at, by)
    _record(by, "confirm a second look", second_look, asked_by=second_look.asked_by_id)
    return act.run(about, given, at, by)


@transaction.atomic
def send_back(second_look: SecondLook, reason: str, *, at: datetime, by: User) -> None:
    """End a request without doing the act: the requester withdraws it, or another organiser gives them a *reason*."""
    second_look = _lock(second_look)
    if second_look.asked_by_id != by.pk:
        if not reason.strip():
            raise ValidationError(_("Say why you send it back: the organiser who asked will read it."))
        second_look.answer = reason.strip()[:500]
        transaction.on_commit(lambda: _mail_answer(second_look, by))
    _end(second_look, at, by)
    _record(by, "send back a second look", second_look, reason=second_look.answer)


def mark_seen(second_look: SecondLook, at: datetime) -> None:
    """Record that the requester has read why the request was sent back."""
    SecondLook.objects.filter(pk=second_look.pk, seen_at=None).update(seen_at=at)


def remind(at: datetime) -> None:
    """Email the organisers who may confirm a request that has waited for a day, once a day."""
    if not settings.FOUR_EYES:
        return
    last = SecondLook.objects.waiting().annotate(last_at=Coalesce("reminded_at", "asked_at"))
    for look in last.filter(last_at__lte=at - REMIND_AFTER).select_related(*RELATED):
        if not SecondLook.objects.waiting().filter(pk=look.pk, reminded_at=look.reminded_at).update(reminded_at=at):
            continue  # another worker was faster
        people = User.objects.filter(is_active=True, is_staff=True).exclude(pk=look.asked_by_id or 0)
        _mail(look, (user for user in people if may_decide(user, look)), _reminder_text)


def _reminder_text(second_look: SecondLook) -> str:
    text = _("%(about)s: a request of %(who)s has been waiting for a second organiser since %(time)s.")
    return text % {
        "about": name_about(second_look),
        "who": second_look.asked_by,
        "time": times.format_zoned_minute(second_look.asked_at),
    }


def _mail_answer(second_look: SecondLook, by: User) -> None:
    def text(look: SecondLook) -> str:
        words = _("%(about)s: %(who)s sent your request back. The reason: %(reason)s")
        return words % {"about": name_about(look), "who": by, "reason": look.answer}

    if second_look.asked_by:
        _mail(second_look, [second_look.asked_by], text)


def _mail(second_look: SecondLook, people: Iterable[User], text: Any) -> None:
    link = settings.SITE_URL + reverse("desk-second-look", args=[second_look.pk])
    addresses = sorted({user.email for user in people} - {""})
    subject = f"{identity.names()[1]}: 两人核对 · second organiser"
    letters.send_in_all_languages(addresses, subject, lambda: f"{text(second_look)}\n{link}")


def _lock(second_look: SecondLook) -> SecondLook:
    rows = SecondLook.objects.select_for_update(of=("self",)).select_related(*RELATED)
    locked = rows.get(pk=second_look.pk)
    if locked.ended_at:
        raise ValidationError(_("Somebody else has already handled this."))
    return locked


def _end(second_look: SecondLook, at: datetime, by: User) -> None:
    second_look.ended_at, second_look.ended_by = at, by
    second_look.save(update_fields=["ended_at", "ended_by", "answer"])


def _record(by: User, act: str, second_look: SecondLook, *, reason: str = "", **more: Any) -> None:
    audit_log.record(by, act, second_look.about or second_look, reason=reason, after={"act": second_look.act, **more})
