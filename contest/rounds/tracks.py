"""Tracks of rounds, and levels that a round may not share with other rounds (rules 2.11, 2.12, 23.2)."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import F, Model, Q, QuerySet
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import MAIN, AuditEntry, Level, LibraryLevel, Round, SeriesRound, Track
from contest.models.round import REVEALS_AT
from contest.rankings import ratings
from contest.staff import audit_log, track_owners
from contest.staff.audit_log import Actor

# Per day, how often an organiser may learn that a hidden round holds one of their levels.
MAX_REVEALED = 5
T = TypeVar("T")


def make_main(**_signal: Any) -> None:
    """Create the main track if it is missing: a new or emptied database needs it like a migrated one."""
    if Track._meta.db_table in connection.introspection.table_names():
        Track.objects.get_or_create(slug=MAIN, defaults={"title_zh": "主赛", "title_en": "Main contest", "order": 0})


class CannotBeUsed(ValidationError):
    """A level of another round that the user may not see; that they learned of it is recorded."""

    def __init__(self, round_: Round, at: datetime) -> None:
        super().__init__(_("A level of this round cannot be used in this time."))
        self.round, self.at = round_, at


def check_levels(round_: Round, *, at: datetime, by: Actor, keys: Iterable[str] | None = None) -> None:
    """Refuse levels of *round_*, in any orientation, that another round has (rules 2.12, 23.2).

    Checks *keys*, or else the round's own levels. Only users who may see the other round, or everybody once it has
    opened, are shown which one it is.
    Raise ValidationError; CannotBeUsed must pass through `record_revealed`.
    """
    if round_.announced_at is None or round_.cancelled_at or not (round_.opens_at and round_.closes_at):
        return
    others = _others(round_, at)
    if not others.exists():
        return
    if keys is None:
        keys = round_.levels.order_by().values_list("key", flat=True) if round_.pk else []
    wanted = set(keys)
    may_know_all = isinstance(by, User) and by.has_perm("contest.view_round")
    if isinstance(by, User) and not may_know_all and _revealed_today(by, at).count() >= MAX_REVEALED:
        raise ValidationError(too_often_message())
    clash = Level.objects.filter(key__in=wanted, round__in=others).select_related("round").order_by().first()
    if clash is None:
        return
    if not may_know(clash.round, by, at):
        raise CannotBeUsed(round_, at)
    raise ValidationError(
        _("This level is already in another announced round, perhaps rotated or mirrored (%(level)s).")
        % {"level": clash}
    )


@transaction.atomic
def save(track: Track, *, by: Actor) -> None:
    """Save a new or changed track, and rate all rounds again if its rounds begin or cease to count (rule 22.1)."""
    stored = Track.objects.select_for_update(no_key=True).filter(pk=track.pk).first()
    track.save(force_insert=stored is None)
    after = {name: getattr(track, name) for name in ("title_zh", "title_en", "order", "is_rated")}
    audit_log.record(by, "change track" if stored else "make track", track, after=after)
    if stored and stored.is_rated != track.is_rated:
        ratings.replay()


def announced_rounds() -> QuerySet[Round]:
    """Return all rounds with public levels, now or later: one that was cancelled before it opened has shown nothing."""
    return Round.objects.exclude(announced_at=None).exclude(cancelled_at__lt=F("opens_at"))


def may_know(round_: Round, by: Actor, at: datetime) -> bool:
    """Return True if *by* may know the levels of *round_*: it has opened, or is of a track of theirs."""
    if visibility.is_opened(round_, at):
        return True
    return isinstance(by, User) and track_owners.may(by, "view_round", round_.track_id)


def _others(round_: Round, at: datetime) -> QuerySet[Round]:
    """Return the announced rounds of any track that *round_* may not share a level with.

    Before it opens: rounds that are not revealed yet, because either round would give away the solutions of the other,
    and for a round of a series all. Afterwards: those that overlap its new times; make-up windows count.
    """
    announced = announced_rounds().exclude(pk=round_.pk)
    if round_.opens_at > at and SeriesRound.objects.filter(round=round_.pk).exclude(round=None).exists():
        return announced
    overlapping = Q(pk__in=Round.objects.overlapping(round_.opens_at, round_.make_up_closes_at or round_.closes_at))
    not_revealed = Q(reveal__gt=at) if round_.opens_at > at else Q(pk__in=[])
    return announced.alias(reveal=REVEALS_AT).filter(overlapping | not_revealed, cancelled_at=None)


def _revealed_today(by: User, at: datetime) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(act="ask for a level", actor=by, at__gt=at - timedelta(days=1))


def record_revealed(action: Callable[..., T]) -> Callable[..., T]:
    """Record a CannotBeUsed error of *action* outside its transaction, which was rolled back."""

    @wraps(action)
    def wrapper(*args: Any, by: Actor, **kwargs: Any) -> T:
        try:
            return action(*args, by=by, **kwargs)
        except CannotBeUsed as error:
            note_revealed(error, by)
            raise

    return wrapper


def note_revealed(error: CannotBeUsed, by: Actor) -> None:
    """Record that *by* learned of it."""
    if isinstance(by, User):
        _note(by, error.round)


def may_learn_of(person: Actor, target: Model, hidden: Sequence[LibraryLevel], at: datetime) -> bool:
    """Return True if *person* may learn today that *hidden* levels are in rounds, and record what they learn.

    False if their limit is reached, even if nothing is hidden: then their question must not be answered.
    """
    if not isinstance(person, User) or person.has_perm("contest.view_round"):
        return True
    left = MAX_REVEALED - _revealed_today(person, at).count()
    for level in hidden[: max(left, 0)]:
        _note(person, target, {"level": level.pk})
    return left > 0 and len(hidden) <= left


def too_often_message() -> str:
    return _("You have looked up levels of other rounds too often today. Try again tomorrow.")


def _note(by: User, target: Model, after: dict[str, Any] | None = None) -> None:
    audit_log.record(by, "ask for a level", target, after=after)
