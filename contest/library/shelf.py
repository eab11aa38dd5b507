"""The organisers' library: levels waiting for a round (rule 23.1)."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from contest import levels, rounds, visibility
from contest.infra import clock
from contest.library import standing
from contest.library.standing import QueueingOutcome
from contest.models import Level, LibraryLevel, QueuedLevel, Round, Series
from contest.rounds import tracks
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.vetting import orders
from solvers import sokoban

State = LibraryLevel.State


@transaction.atomic
def store_level(
    level: LibraryLevel, board: sokoban.Level, solution: str, *, at: datetime, by: Actor, is_confirmed: bool
) -> LibraryLevel:
    """Save a new or changed library level: ready if it passes the check, else a draft with messages.

    Its warnings must be confirmed before it is ready (rule 2.7); warnings never mention levels hidden from *by*.
    """
    is_new = level.pk is None
    if not is_new and LibraryLevel.objects.select_for_update().get(pk=level.pk).state == State.USED:
        raise ValidationError(_("This level was used in a round and can no longer be changed."))
    before = _facts(LibraryLevel.objects.get(pk=level.pk)) if not is_new else {}
    level.text, level.solution = board.published_text, solution
    level.sha256, level.width, level.height, level.boxes = board.sha256, board.width, board.height, len(board.boxes)
    level.key = board.key if len(board.players) == 1 else ""
    vars(level).pop("board", None)
    known = visibility.levels_known_to(by, at) if isinstance(by, User) else None
    examined = levels.examine(
        level.text,
        solution,
        title=level.title,
        author=level.author,
        known=known,
        unsolved_reason=level.unsolved_reason,
        is_vetted=visibility.may_see_vetting(by),
    )
    passes = not examined.errors and (is_confirmed or not examined.warnings)
    if level.state != State.RETIRED:
        level.state = State.READY if passes else State.DRAFT
    if is_new:
        level.added_at, level.added_by = at, by if isinstance(by, User) else None
    level.save()
    if level.state != State.READY:
        QueuedLevel.objects.filter(level=level).delete()
    orders.queue_vetting(board)
    audit_log.record(by, "change library" if before else "add to library", level, before=before, after=_facts(level))
    return level


@transaction.atomic
def take_solution(level: LibraryLevel, *, at: datetime, by: User) -> LibraryLevel:
    """Set the solution that the solver found."""
    search = orders.find_vetting(level.sha256)
    if search is None or search.witness is None:
        raise ValidationError(_("The solver knows no solution of this level."))
    level.unsolved_reason = ""
    return store_level(
        level, level.board, search.witness["lurd"], at=at, by=by, is_confirmed=level.state == State.READY
    )


def find_twins(key: str, but: LibraryLevel | None = None) -> QuerySet[LibraryLevel]:
    """Return other library levels with the same board, turned or mirrored too."""
    twins_ = LibraryLevel.objects.filter(key=key).exclude(key="")
    return twins_.exclude(pk=but.pk) if but else twins_


@transaction.atomic
def use_level(level: LibraryLevel, round_: Round, slot: str, *, at: datetime, by: Actor) -> Level:
    """Put a ready library level into a slot of an unopened round, and record that in the library."""
    rounds.lock_calendar()  # before the level, as a series does
    level = LibraryLevel.objects.select_for_update().get(pk=level.pk)
    if level.state not in (State.READY, State.USED):
        raise ValidationError(_("Only a level that is ready can be used."))
    texts = filter(None, (round_.title_zh, round_.title_en, round_.prizes_zh, round_.prizes_en))
    passed = levels.check(
        level.text,
        level.solution,
        title=level.title,
        author=level.author,
        texts=texts,
        round_id=round_.pk,
        slot=slot,
        known=visibility.levels_known_to(by, at) if isinstance(by, User) else None,
        unsolved_reason=level.unsolved_reason,
        is_vetted=visibility.may_see_vetting(by),
    )
    save_from(round_, slot, at=at, by=by)
    put = rounds.put_level(round_, slot, passed, title=level.title, author=level.author, at=at, by=by)
    QueuedLevel.objects.filter(level=level).delete()
    level.state, level.used_in = State.USED, round_
    level.save(update_fields=["state", "used_in"])
    return put


@transaction.atomic
def save_from(round_: Round, slot: str, *, at: datetime, by: Actor) -> LibraryLevel | None:
    """Save the slot's present level to the library before it is replaced, so that no level is lost."""
    held = Level.objects.filter(round=round_, slot=slot).first()
    if held is None:
        return None
    if own := LibraryLevel.objects.filter(used_in=round_, sha256=held.sha256).first():
        LibraryLevel.objects.filter(pk=own.pk).update(state=State.READY, used_in=None)
        audit_log.record(by, "take back", own, before={"state": State.USED}, after={"state": State.READY})
        return own
    level = LibraryLevel(title=held.title, author=held.author, unsolved_reason=held.unsolved_reason)
    return store_level(level, held.board, held.solution, at=at, by=by, is_confirmed=True)


@transaction.atomic
def remove_level(round_: Round, slot: str, *, at: datetime, by: Actor) -> LibraryLevel | None:
    """Move a level from an unopened round to the library."""
    saved = save_from(round_, slot, at=at, by=by)
    rounds.clear_slot(round_, slot, at=at, by=by)
    return saved


@transaction.atomic
def delete_draft(round_: Round, *, at: datetime, by: Actor) -> list[LibraryLevel]:
    """Delete a draft that only organisers saw; its levels go to the library."""
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if round_.announced_at or round_.cancelled_at:
        raise ValidationError(_("Only a draft can be deleted. Cancel an announced round instead."))
    saved = [save_from(round_, slot, at=at, by=by) for slot in round_.levels.values_list("slot", flat=True)]
    audit_log.record(by, "throw away", round_, before={"title": round_.title, "opens_at": round_.opens_at.isoformat()})
    round_.levels.all().delete()
    round_.testers.filter(agreed_at=None).delete()
    round_.delete()
    return [level for level in saved if level]


@transaction.atomic
def hide_level(level: LibraryLevel, *, by: Actor) -> None:
    """Hide a level; it can be brought back."""
    audit_log.record(by, "put away", level, before=_turn(level, State.RETIRED), after={"state": State.RETIRED})
    QueuedLevel.objects.filter(level=level).delete()


@transaction.atomic
def show_level(level: LibraryLevel, *, by: Actor) -> None:
    """Bring a hidden level back as a draft; whether it is ready is checked at the next save."""
    audit_log.record(by, "take back", level, before=_turn(level, State.DRAFT), after={"state": State.DRAFT})


def _turn(level: LibraryLevel, state: LibraryLevel.State) -> dict[str, str]:
    """Change the state of a level not used in a round; return the old state for the audit log."""
    stored = LibraryLevel.objects.select_for_update().get(pk=level.pk)
    if stored.state == State.USED:
        raise ValidationError(_("This level was used in a round and can no longer be changed."))
    LibraryLevel.objects.filter(pk=level.pk).update(state=state)
    return {"state": stored.state}


# Limit for one act: enough for years of rounds, but never a whole library by mistake.
MOST_AT_ONCE = 1_000


def enqueue(level: LibraryLevel, series: Series, slot: str, *, by: Actor) -> QueuedLevel:
    """Add a ready level to the end of a slot's queue."""
    done = enqueue_all([level.pk], series, [slot], by=by)
    if refusal := done.refusal(by, clock.now()):
        raise ValidationError(refusal)
    if not done.count:
        if QueuedLevel.objects.filter(level=level).exists():
            raise ValidationError(_("The level is already in a queue."))
        raise ValidationError(_("Only a level that is ready can wait in a queue."))
    return QueuedLevel.objects.get(level=level)


@transaction.atomic
def enqueue_all(levels_: Sequence[int], series: Series, slots: Sequence[str], *, by: Actor) -> QueueingOutcome:
    """Add levels, by key, to the ends of queues, distributed over *slots* in the given order.

    Levels that are not ready, already queued or used in an announced or past round are skipped. Eight queries for any
    number of levels.
    """
    series = Series.objects.select_for_update().get(pk=series.pk)
    wanted = dict.fromkeys(levels_[:MOST_AT_ONCE])
    rows = LibraryLevel.objects.select_for_update().filter(pk__in=wanted, state=State.READY).order_by("pk")
    free = {level.pk: level for level in rows.defer("solution")}
    for pk in QueuedLevel.objects.filter(level__in=free).values_list("level", flat=True):
        del free[pk]
    at, stand = clock.now(), standing.find_used([free[pk] for pk in wanted if pk in free])
    hidden = [used.level for used in stand if used.place(by, at) is None]
    if not tracks.may_learn_of(by, series, hidden, at):
        return QueueingOutcome(len(levels_), 0, is_too_often=True)
    for used in stand:
        del free[used.level.pk]
    chosen = [free[pk] for pk in wanted if pk in free]
    if not chosen:
        return QueueingOutcome(len(levels_), 0, stand)
    last: dict[str, int] = dict(series.queue.order_by().values_list("slot").annotate(Max("place")))
    QueuedLevel.objects.bulk_create(
        QueuedLevel(
            series=series,
            slot=slots[turn % len(slots)],
            level=level,
            place=last.get(slots[turn % len(slots)], 0) + turn // len(slots) + 1,
        )
        for turn, level in enumerate(chosen)
    )
    if len(chosen) == 1:
        after: dict[str, object] = {"series": series.pk, "slot": slots[0]}
        audit_log.record(by, "queue level", chosen[0], after=after)
    else:
        audit_log.record(by, "queue levels", series, after={"slots": list(slots), "levels": len(chosen)})
    public = standing.find_public(chosen)
    in_order = dict.fromkeys(public[level.key] for level in chosen if level.key in public)
    return QueueingOutcome(len(levels_), len(chosen), stand, public=tuple(in_order))


@transaction.atomic
def dequeue(series: Series, queued: Collection[int], *, by: Actor) -> None:
    """Remove levels from a series' queues, by the keys of their queue rows; they stay in the library."""
    series = Series.objects.select_for_update().get(pk=series.pk)
    rows = series.queue.filter(pk__in=queued)
    for row in rows.select_related("level"):
        audit_log.record(by, "take out of queue", row.level, before={"series": series.pk, "slot": row.slot})
    rows.delete()


@transaction.atomic
def move(series: Series, queued: Collection[int], slot: str, place: int, *, by: Actor) -> None:
    """Move queued levels to a slot in their present order, the first one to *place*, counted from 1.

    Levels at and after that place move back; a place beyond the last is the end.
    """
    series = Series.objects.select_for_update().get(pk=series.pk)
    rows = list(series.queue.filter(pk__in=queued))
    others = list(series.queue.filter(slot=slot).exclude(pk__in=queued))
    before = max(place, 1) - 1
    order = [*others[:before], *rows, *others[before:]]
    for number, row in enumerate(order, 1):
        row.slot, row.place = slot, number
    QueuedLevel.objects.bulk_update(order, ["slot", "place"])
    if rows:
        audit_log.record(by, "move in queue", series, after={"slot": slot, "place": before + 1, "levels": len(rows)})


@transaction.atomic
def step(series: Series, queued: Collection[int], places: int, *, by: Actor) -> None:
    """Move queued levels by *places* within their slots, forward if *places* is negative."""
    series = Series.objects.select_for_update().get(pk=series.pk)
    standing = list(series.queue.all())
    for slot in dict.fromkeys(row.slot for row in standing if row.pk in queued):
        keys = [row.pk for row in standing if row.slot == slot]
        chosen = {key for key in keys if key in queued}
        first = next(place for place, key in enumerate(keys) if key in chosen)
        move(series, chosen, slot, max(first + places, 0) + 1, by=by)


def _facts(level: LibraryLevel) -> dict[str, object]:
    """Return the facts of a level for the audit log, without its solution."""
    names = ("title", "author", "tags", "difficulty", "rights", "unsolved_reason", "sha256", "state")
    return {name: getattr(level, name) for name in names}
