"""Testers of a round: appointed before it opens, excluded from it by what they saw (rule 4.14)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from contest.models import AuditEntry, Level, Player, Round, Tester
from contest.models.round import REVEALS_AT
from contest.players.claims import names_of, surely_own
from contest.rounds.calendar import is_past_opening
from contest.staff import audit_log, track_owners
from contest.staff.audit_log import Actor
from contest.visibility import Viewer

# Repeated views within this time count as one, so that reloading a page does not fill the audit record.
_VIEW_INTERVAL = timedelta(minutes=1)


@transaction.atomic
def invite(round_: Round, player: Player | None, *, at: datetime, by: Actor) -> Tester:
    """Invite the account that owns *player* to try *round_*. Raise ValidationError.

    One message refuses unknown players, players without an account and organisers: nothing public tells them apart. A
    successful invitation does reveal that an account exists, and is recorded.
    """
    round_ = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    if not _is_coming(round_, at):
        raise ValidationError(_("Testers must be named before the round opens."))
    owners = [alias.owner for alias in names_of(player) if alias.owner] if player else []
    if player is None or not owners or any(owner.is_staff for owner in owners):
        message = _("This player cannot be a tester: testers need their own account and must not be organisers.")
        raise ValidationError({"nickname": message})
    tester, is_new = Tester.objects.get_or_create(round=round_, account=owners[0], defaults={"named_at": at})
    if not is_new and tester.ended_at is None:
        raise ValidationError({"nickname": _("They are a tester of this round already.")})
    Tester.objects.filter(pk=tester.pk).update(ended_at=None)
    tester.names.add(player)
    audit_log.record(by, "name tester", round_, after={"player": player.pk})
    return tester


@transaction.atomic
def take_off(tester: Tester, *, at: datetime, by: Actor) -> None:
    """End the access of *tester* to the round; after agreeing, a tester stays excluded from it."""
    tester = Tester.objects.select_for_update(of=("self",)).select_related("round").get(pk=tester.pk)
    if tester.round:
        shown = {"players": list(tester.names.values_list("pk", flat=True))}
        audit_log.record(by, "take tester off", tester.round, before=shown)
    if tester.agreed_at is None:
        tester.delete()
    else:
        Tester.objects.filter(pk=tester.pk, ended_at=None).update(ended_at=at)


@transaction.atomic
def agree(tester: Tester, reported: Iterable[Player], *, viewer: Viewer, at: datetime, by: User) -> None:
    """Give *tester* access, and bind every name that their browser proves. Raise ValidationError.

    Further names they *reported* are only stored for the organisers: they might belong to anybody.
    """
    tester = Tester.objects.select_for_update(of=("self",)).select_related("round").get(pk=tester.pk)
    if tester.agreed_at:
        raise ValidationError(_("You have already agreed. Tell the organisers if you have other nicknames."))
    if tester.round is None or not may_agree(tester, at):
        raise ValidationError(_("There is nothing to test now."))
    Tester.objects.filter(pk=tester.pk).update(agreed_at=at)
    only_reported = sorted({player.pk for player in reported} - viewer.players)
    tester.told.add(*only_reported)
    audit_log.record(by, "agree to test", tester.round, after={"told_names": only_reported})
    _bind_names(tester, viewer.players, by=by)


@transaction.atomic
def bind_reported(tester: Tester, player: Player, *, by: Actor) -> None:
    """Bind *player*, a name that *tester* told: an organiser knows that it is theirs.

    For rounds that this organiser has no right over, the name is only stored as told: their own organisers decide.
    """
    tester = Tester.objects.select_for_update(of=("self",)).select_related("round").get(pk=tester.pk)
    if tester.told.filter(pk=player.pk).exists():
        tester.told.remove(player)
        other_rows = _other_rows(tester)
        own_rows = other_rows
        if isinstance(by, User):
            own_rows = track_owners.filter_rows(by, other_rows, "change_round", by="round__track")
        for row in other_rows.exclude(pk__in=own_rows.values("pk")).exclude(names=player):
            row.told.add(player)
        _bind_to_rows([tester, *own_rows], [player.pk], by=by)


@transaction.atomic
def record_view(tester: Tester, level: Level, *, viewer: Viewer, at: datetime, by: User) -> None:
    """Record that *tester* views *level*, and bind the names that their browser now proves.

    They are excluded from other announced rounds with that level too, in any orientation.
    """
    is_new = level.key not in tester.seen
    if is_new:
        # Locked in the order of `bind`, rounds before testers.
        list(_rounds_with(level.key, at).select_for_update(no_key=True))
    tester = Tester.objects.select_for_update(of=("self",)).select_related("round").get(pk=tester.pk)
    if level.key not in tester.seen:
        Tester.objects.filter(pk=tester.pk).update(seen=[*tester.seen, level.key])
    if is_new:
        for round_ in _rounds_with(level.key, at).exclude(pk=level.round_id):
            _bind_to(round_, tester, at=at)
    _bind_names(tester, viewer.players, by=by)
    views = AuditEntry.objects.filter(target=audit_log.target_name(level.round), act="look at test", actor=by)
    if not views.filter(at__gt=at - _VIEW_INTERVAL, after__slot=level.slot).exists():
        audit_log.record(by, "look at test", level.round, after={"slot": level.slot})


def bind(round_: Round, *, at: datetime) -> None:
    """Exclude testers from *round_* who saw one of its levels in another round, in any orientation."""
    keys = set(round_.levels.order_by().values_list("key", flat=True))
    # Locked, so that a concurrent view is either visible here or finds the round announced.
    for tester in Tester.objects.bound().exclude(round=round_).select_for_update(of=("self",)):
        if keys.intersection(tester.seen):
            _bind_to(round_, tester, at=at)


def _rounds_with(key: str, at: datetime) -> QuerySet[Round]:
    """Return announced rounds with the level *key* that accept submissions, or may again (rule 3.10)."""
    round_ids = Level.objects.filter(key=key).order_by().values("round")
    announced = Round.objects.exclude(announced_at=None).filter(pk__in=round_ids)
    return announced.alias(reveal=REVEALS_AT).filter(reveal__gt=at).order_by("pk")


def _bind_to(round_: Round, earlier: Tester, *, at: datetime) -> None:
    """Make *earlier*, who saw a level of *round_*, one of its testers, without access."""
    names = earlier.names.values_list("pk", flat=True)
    times = {"named_at": at, "agreed_at": earlier.agreed_at, "ended_at": at}
    if earlier.account:
        tester, is_new = Tester.objects.get_or_create(round=round_, account=earlier.account, defaults=times)
        if not is_new and tester.agreed_at is None:
            Tester.objects.filter(pk=tester.pk).update(agreed_at=earlier.agreed_at, ended_at=at)
    else:
        # A closed account is identified by its names only.
        existing = Tester.objects.bound().filter(round=round_, account=None, names__in=names).first()
        tester = existing or Tester.objects.create(round=round_, account=None, **times)
    _bind_names(tester, names, by=None)


def _bind_names(tester: Tester, names: Iterable[int], *, by: Actor) -> None:
    """Bind the players *names* wherever the account of *tester* is bound, and record new ones."""
    _bind_to_rows([tester, *_other_rows(tester)], names, by=by)


def _other_rows(tester: Tester) -> QuerySet[Tester]:
    """Return the other rows that bind the account of *tester*."""
    if tester.account_id is None:
        return Tester.objects.none()
    rows = Tester.objects.bound().filter(account=tester.account_id).exclude(pk=tester.pk)
    return rows.select_related("round")


def _bind_to_rows(rows: Iterable[Tester], names: Iterable[int], *, by: Actor) -> None:
    names = set(names)
    for row in rows:
        if new := sorted(names - set(row.names.values_list("pk", flat=True))):
            row.names.add(*new)
            audit_log.record(by, "bind names of tester", row.round or row, after={"players": new})


def may_agree(tester: Tester, at: datetime) -> bool:
    """Return True if *tester* may still accept the invitation."""
    is_asked = tester.agreed_at is None and tester.ended_at is None
    return is_asked and tester.round is not None and _is_coming(tester.round, at)


def _is_coming(round_: Round, at: datetime) -> bool:
    return not (is_past_opening(round_, at) or round_.cancelled_at)


def is_tester(round_: Round, player: Player, viewer: Viewer | None) -> bool:
    """Return True if *player*, or any name their browser proves, tried *round_* before it opened."""
    keys = {alias.pk for alias in names_of(player)}
    if others := (viewer.players if viewer else frozenset()) - keys:
        keys |= set(Player.objects.filter(surely_own(viewer), pk__in=others).values_list("pk", flat=True))
    by_name = Q(names__in=keys) | Q(names__merged_into__in=keys)
    by_account = Q(account__players__in=keys) | Q(account__players__merged_into__in=keys)
    return Tester.objects.bound().filter(by_name | by_account, round=round_).exists()
