"""The tracks that rounds belong to, and the levels that no two of them show at once (rules 2.11, 2.12)."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from contest.models import MAIN, AuditEntry, Level, LibraryLevel, Round, Track
from contest.staff import audit_log, track_owners
from contest.staff.audit_log import Actor

# Whoever may not know the other round is told so often in a day that it holds one of their levels.
MOST_TOLD = 5
T = TypeVar("T")


def make_main(**_signal: Any) -> None:
    """Make the main track where it is missing: a new database, or an emptied one, has it as one that was migrated."""
    if Track._meta.db_table in connection.introspection.table_names():
        Track.objects.get_or_create(slug=MAIN, defaults={"title_zh": "主赛", "title_en": "Main contest", "order": 0})


class CannotBeUsed(ValidationError):
    """A level that stands in a round which whoever asks may not know: that they were told is written down."""

    def __init__(self, round_: Round, at: datetime) -> None:
        super().__init__(_("A level of this round cannot be used in this time."))
        self.round, self.at = round_, at


def check_levels(round_: Round, *, at: datetime, by: Actor, keys: Iterable[str] | None = None) -> None:
    """Rule 2.12: no level of *round_*, however turned, stands in another round that is open at some moment of it.

    *keys* of the levels, else those it has. Which round is in the way is said to whoever may know it. Raise
    ValidationError; one that is CannotBeUsed goes through `remember_asking`.
    """
    if round_.announced_at is None or round_.cancelled_at or not (round_.opens_at and round_.closes_at):
        return
    if not _others(round_).exists():
        return
    if keys is None:
        keys = round_.levels.order_by().values_list("key", flat=True) if round_.pk else []
    wanted = set(keys)
    may_know_all = isinstance(by, User) and by.has_perm("contest.view_round")
    if isinstance(by, User) and not may_know_all and _told_today(by, at).count() >= MOST_TOLD:
        raise ValidationError(too_often_words())
    clash = Level.objects.filter(key__in=wanted, round__in=_others(round_)).select_related("round").order_by().first()
    if clash is None:
        return
    if not (isinstance(by, User) and track_owners.may(by, "view_round", clash.round.track_id)):
        raise CannotBeUsed(round_, at)
    raise ValidationError(
        _("“%(level)s” stands in this round, too, turned or not, and both would be open at once.") % {"level": clash}
    )


def _others(round_: Round) -> Any:
    """Announced rounds, of whatever track, that are open at some moment of *round_*; make-up windows count."""
    spans = Round.objects.overlapping(round_.opens_at, round_.make_up_closes_at or round_.closes_at)
    return spans.exclude(announced_at=None).exclude(pk=round_.pk)


def _told_today(by: User, at: datetime) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(act="ask for a level", actor=by, at__gt=at - timedelta(days=1))


def remember_asking(act: Callable[..., T]) -> Callable[..., T]:
    """Write down, outside the transaction that *act* took back, that somebody was told of a level they may not know."""

    @wraps(act)
    def run(*args: Any, by: Actor, **words: Any) -> T:
        try:
            return act(*args, by=by, **words)
        except CannotBeUsed as told:
            note_asking(told, by)
            raise

    return run


def note_asking(told: CannotBeUsed, by: Actor) -> None:
    """Write down that *by* was told."""
    if isinstance(by, User):
        _note(by, told.round)


def may_be_told(person: Actor, target: Model, hidden: Sequence[LibraryLevel], at: datetime) -> bool:
    """Whether *person* may learn today that *hidden* levels stand in rounds; it is written down what they learn.

    False where that is too often, even if nothing is hidden: then the answer to their question must not be given.
    """
    if not isinstance(person, User) or person.has_perm("contest.view_round"):
        return True
    left = MOST_TOLD - _told_today(person, at).count()
    for level in hidden[: max(left, 0)]:
        _note(person, target, {"level": level.pk})
    return left > 0 and len(hidden) <= left


def too_often_words() -> str:
    return _("You have asked for levels of other rounds too often today. Try again tomorrow.")


def _note(by: User, target: Model, after: dict[str, Any] | None = None) -> None:
    audit_log.record(by, "ask for a level", target, after=after)
