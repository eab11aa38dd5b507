"""Feed of contest events, in one order for everybody: each reported once, dated by the rules, never lost.

Verdicts write their event in their own transaction. All other events are derived from stored rows, so nothing is missed
while no process looks. Numbers are assigned afterwards, by one transaction at a time, to committed events:
a lower number never appears after a higher one was read.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

from django.db import connection, transaction
from django.db.models import CharField, Exists, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from contest import visibility
from contest.infra import cache
from contest.infra.database import locks
from contest.models import Event, Level, Metric, Note, Round
from contest.rankings import standings
from contest.vetting import machine
from contest.visibility import Viewer

M = TypeVar("M", bound=Model)

Kind = Event.Kind
MOST = 1_000
_NOBODY = Viewer()
_LOOK_SECONDS = 1


def read_events(number: int, at: datetime, most: int = MOST, track: str = "") -> list[Event]:
    """Return up to *most* events after *number*, in order; first record events that have happened since.

    With *track*, only events of its rounds.
    """
    if cache.is_first("events", _LOOK_SECONDS):
        record_events(at)
    related = ("note", "post", "submission__player")
    # Prefetched, so that events share one object: a thousand would load three rounds each, 20 MB in all.
    shared = ("round", "submission__round", "submission__level__round", "search__level__round")
    events = _readable(number, at, track).select_related(*related).prefetch_related(*shared)
    return list(events.defer("submission__text", "submission__lurd", "submission__turned")[:most])


def count_events(number: int, at: datetime, most: int = MOST, track: str = "") -> int:
    """Return how many events `read_events` would return now."""
    return _readable(number, at, track)[:most].count()


def _readable(number: int, at: datetime, track: str) -> QuerySet[Event]:
    events = Event.objects.filter(number__gt=number).order_by("number")
    # The rounds of an import that was undone; one such event keeps the newest number in use.
    events = events.exclude(round=None, submission=None, note=None, post=None)
    # A withdrawn post disappears from here too, and an attempt at a level that is in play again (rule 20.5).
    events = events.filter(Q(post=None) | Q(post__in=visibility.posts(_NOBODY, at)))
    events = events.filter(Q(search=None) | Q(search__in=machine.reported(at).order_by().values("pk")))
    return events.filter(round__track=track) if track else events


def record_events(at: datetime) -> int:
    """Record and number all events that have no number yet, and return how many."""
    unrecorded = list(_unrecorded_events(at))
    if not unrecorded and not Event.objects.filter(number=None).exists():
        return 0
    with transaction.atomic():
        locks.take(locks.Turn.EVENTS)
        Event.objects.bulk_create(unrecorded, ignore_conflicts=True)
        before = last_number()
        count = _number(Kind.values)
        Event.objects.bulk_create(_leaders(before), ignore_conflicts=True)
        # A verdict committed meanwhile waits until the next call, which also reports a lead by it.
        return count + _number([Kind.BEST])


def last_number() -> int:
    """Return the number of the newest event; 0 before the first."""
    return Event.objects.exclude(number=None).order_by("-number").values_list("number", flat=True).first() or 0


# Plain SQL without reading any row: there may be thousands at a time.
_NUMBER = """
    UPDATE contest_event SET number = line.place + COALESCE((SELECT MAX(number) FROM contest_event), 0)
    FROM (
        SELECT id, ROW_NUMBER() OVER (ORDER BY "at", id) AS place FROM contest_event
        WHERE number IS NULL AND kind IN (%s)
    ) AS line
    WHERE contest_event.id = line.id
"""


def _number(kinds: Sequence[str]) -> int:
    """Number the events of these *kinds* that have no number, after all others; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(_NUMBER % ", ".join(["%s"] * len(kinds)), kinds)
        return int(cursor.rowcount)


# Events derived from rows


def _unrecorded_events(at: datetime) -> Iterator[Event]:
    for kind, moment, rounds in _ROUNDS:
        for round_ in rounds(at):
            yield Event(kind=kind, key=str(round_.pk), at=getattr(round_, moment), round=round_)
    for snapshot in _snapshots(at):
        kind = Kind.FINAL if snapshot.revision == 1 else Kind.REVISED
        row = Event(kind=kind, key=str(snapshot.pk), at=snapshot.made_at, round_id=snapshot.round_id)
        row.revision = snapshot.revision
        yield row
    for note in _notes(at):
        yield Event(kind=Kind.NOTE, key=str(note.pk), at=note.written_at, round_id=note.round_id, note=note)
    for attempt in _attempts(at):
        row = Event(kind=Kind.MACHINE, key=str(attempt.pk), at=attempt.ended_at or at, search=attempt)
        row.round_id = attempt.level.round_id if attempt.level else None
        yield row
    for post in _posts(at):
        yield Event(kind=Kind.POST, key=str(post.pk), at=post.published_at or at, post=post)


def _unrecorded(rows: Callable[[datetime], QuerySet[M]], *kinds: Event.Kind) -> Callable[[datetime], QuerySet[M]]:
    """Return a query for those *rows* at a time for which there is no event of these *kinds*."""

    def build(at: datetime) -> QuerySet[M]:
        recorded = Event.objects.filter(kind__in=kinds, key=Cast(OuterRef("pk"), CharField()))
        return rows(at).filter(~Exists(recorded))

    return build


def _past_closing(at: datetime) -> QuerySet[Round]:
    is_in_force = Q(cancelled_at=None) | Q(cancelled_at__gte=at)
    return visibility.opened_rounds(_NOBODY, at).filter(is_in_force, closes_at__lte=at)


def _cancellations(at: datetime) -> QuerySet[Round]:
    return visibility.rounds(_NOBODY, at).filter(cancelled_at__lte=at)


def _notes_without_own_event(at: datetime) -> QuerySet[Note]:
    return visibility.all_notes(at).exclude(kind__in=(Note.Kind.CANCELLED, Note.Kind.REVISED))


# Each with the field that holds its time.
_ROUNDS = (
    (Kind.ANNOUNCED, "announced_at", _unrecorded(partial(visibility.rounds, _NOBODY), Kind.ANNOUNCED)),
    (Kind.OPENED, "opens_at", _unrecorded(partial(visibility.opened_rounds, _NOBODY), Kind.OPENED)),
    (Kind.CLOSED, "closes_at", _unrecorded(_past_closing, Kind.CLOSED)),
    (Kind.REVEALED, "reveals_at", _unrecorded(Round.objects.revealed, Kind.REVEALED)),
    (Kind.CANCELLED, "cancelled_at", _unrecorded(_cancellations, Kind.CANCELLED)),
)
_snapshots = _unrecorded(lambda at: visibility.snapshots(_NOBODY, at).defer("document"), Kind.FINAL, Kind.REVISED)
_notes = _unrecorded(_notes_without_own_event, Kind.NOTE)
_attempts = _unrecorded(machine.reported, Kind.MACHINE)
_posts = _unrecorded(partial(visibility.posts, _NOBODY), Kind.POST)


def _leaders(number: int) -> Iterator[Event]:
    """Yield an event for each lead that was taken after event *number* and still holds."""
    entered = Event.objects.filter(kind=Kind.ACCEPTED, number__gt=number)
    # Without a join: after a large import PostgreSQL may still take the tables for empty, and would join all levels,
    # submissions and events by loops.
    rounds = set(entered.order_by().values_list("round", flat=True))
    firsts = [
        (metric, best.submission_id)
        for level in Level.objects.filter(round__in=rounds).select_related("round")
        for metric in Metric
        if (best := standings.best_rows(level, metric).first())
    ]
    accepted = {row.submission_id: row for row in entered.filter(submission__in=[pk for _metric, pk in firsts])}
    for metric, pk in firsts:
        if row := accepted.get(pk):
            yield Event(
                kind=Kind.BEST,
                key=f"{pk}:{metric.value}",
                at=row.at,
                round_id=row.round_id,
                submission_id=pk,
                by=metric.value,
            )
