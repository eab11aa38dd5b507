"""Write the verdicts of a rejudging in batches, restore the old ones, and record what was done (rule 6.13).

The caller has a transaction for each batch (`organising.long_acts`). A row of the rejudging keeps the old moves from
the moment its new verdict is written, so a repeated batch continues with the next rows. A batch holds submissions of
few players, whose boards are counted with it: results, receipts and boards agree after each.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import Event, Level, LongAct, Rejudged, Rejudging, State, Submission, Verdict, Verification
from contest.rankings import personal_bests
from contest.staff import audit_log

AT_ONCE = 200  # verdicts that one transaction writes
_RECORDED_AT_ONCE = 500
_IN_ORDER = ("submission__sent_as", "submission")


class NotApplied(Exception):
    """The reason why a rejudging cannot be applied, as a message."""


def write_next(job: LongAct) -> int:
    """Write the next new verdicts, with their records and boards; return how many. Raise NotApplied."""
    rejudging = _rejudging_of(job)
    rows = list(_differing(rejudging).filter(lurd_before=None).order_by(*_IN_ORDER)[:AT_ONCE])
    levels = lock_levels(rows)
    sent = _lock(rows)
    _check_columns(rows, {number: vars(submission) for number, submission in sent.items()})
    check_uncontradicted(rejudging, rows)
    at = clock.now()
    Verification.objects.bulk_create(_records(rejudging, rows, at))
    _keep_old(rows)
    for row in rows:
        columns = {_column(name): value for name, value in row.after.items()}
        Submission.objects.filter(pk=row.submission_id).update(**columns, lurd=row.lurd, judged_at=at)
    personal_bests.recount(levels, {submission.player for submission in sent.values()})
    return len(rows)


def restore_next(job: LongAct) -> int:
    """Restore the next old verdicts; return how many."""
    rejudging = _rejudging_of(job)
    rows = list(_differing(rejudging).exclude(lurd_before=None).order_by(*_IN_ORDER)[:AT_ONCE])
    levels = lock_levels(rows)
    sent = _lock(rows)
    for row in rows:
        columns = {_column(name): value for name, value in row.before.items()}
        old = {"lurd": row.lurd_before, "judged_at": row.judged_before}
        Submission.objects.filter(pk=row.submission_id).update(**columns, **old)
    # The history has verdicts that were in force; these were so only while the rejudging was being applied.
    for row in rows:
        record = {"submission": row.submission_id, "levels_digest": row.levels_digest}
        Verification.objects.filter(engine_version=rejudging.engine_version, **record).delete()
    keys = [row.pk for row in rows]
    Rejudged.objects.filter(pk__in=keys).update(lurd_before=None, judged_before=None)
    personal_bests.recount(levels, {submission.player for submission in sent.values()})
    return len(rows)


def mark_applied(job: LongAct) -> None:
    """Mark the rejudging as applied, once every verdict is written."""
    rejudging = _rejudging_of(job)
    rejudging.applied_at = clock.now()
    rejudging.save(update_fields=["applied_at"])
    audit_log.record(job.asked_by, "rejudge", rejudging, reason=job.given["reason"], after={"changed": job.done})


def record_next(job: LongAct) -> int:
    """Record the next rows: events of those that changed, and that this engine confirms the others; return how many."""
    rejudging = _rejudging_of(job)
    later = rejudging.rows.filter(pk__gt=job.given.get("recorded", 0)).order_by("pk")
    rows = list(later.select_related("submission").defer(*_TEXTS, "lurd_before")[:_RECORDED_AT_ONCE])
    _tell(rejudging, [row for row in rows if row.differs])
    confirmed = _records(rejudging, [row for row in rows if not row.differs], clock.now())
    Verification.objects.bulk_create(confirmed, ignore_conflicts=True)
    if rows:
        job.given["recorded"] = rows[-1].pk
        LongAct.objects.filter(pk=job.pk).update(given=job.given)
    return len(rows)


def check_uncontradicted(rejudging: Rejudging, rows: Iterable[Rejudged]) -> None:
    """Raise NotApplied if the same engine judged one of the submissions differently before, on the same levels."""
    for some in _in_batches(rows):
        numbers = [row.submission_id for row in some]
        judged = Verification.objects.filter(submission__in=numbers, engine_version=rejudging.engine_version)
        known = set(judged.values_list("submission", "levels_digest"))
        for row in some:
            if (row.submission_id, row.levels_digest) in known:
                raise NotApplied(
                    _(
                        "This engine judged submission %(number)s differently before. Raise ENGINE_VERSION, then "
                        "compute the rejudging again."
                    )
                    % {"number": row.submission_id}
                )


def check_unchanged(rows: Iterable[Rejudged]) -> None:
    """Raise NotApplied if a verdict is no longer the one that was computed from."""
    for some in _in_batches(rows):
        names = {_column(name) for name in some[0].before} | {"full_size", "state"}
        found = Submission.objects.filter(pk__in=[row.submission_id for row in some]).values("pk", *names)
        _check_columns(some, {values["pk"]: values for values in found})


def levels_of(rows: Iterable[Rejudged]) -> QuerySet[Level]:
    """Return the levels on whose boards *rows* are, before or after."""
    keys = {key for row in rows for key in (row.before["level"], row.after["level"]) if key}
    return Level.objects.filter(pk__in=keys).order_by("pk")


def lock_levels(rows: Iterable[Rejudged]) -> list[Level]:
    """Lock the levels as the judge does, before any submission."""
    return list(levels_of(rows).select_for_update(no_key=True))


_TEXTS = ("submission__text", "submission__lurd")


def _rejudging_of(job: LongAct) -> Rejudging:
    return Rejudging.objects.get(acts=job)


def _differing(rejudging: Rejudging) -> QuerySet[Rejudged]:
    return rejudging.rows.filter(differs=True)


def _lock(rows: Iterable[Rejudged]) -> dict[int, Submission]:
    """Lock and return the submissions, by number."""
    sent = Submission.objects.select_for_update(of=["self"]).select_related("player").defer("text", "lurd")
    return sent.order_by("pk").in_bulk([row.submission_id for row in rows])


def _check_columns(rows: Iterable[Rejudged], current: Mapping[int, Mapping[str, Any]]) -> None:
    for row in rows:
        values = current[row.submission_id]
        is_pruned = values["full_size"] is not None
        is_same = all(values[_column(name)] == value for name, value in row.before.items())
        if is_pruned or values["state"] != State.JUDGED or not is_same:
            raise NotApplied(
                _("Submission %(number)s has changed since then. Compute the rejudging again.")
                % {"number": row.submission_id}
            )


def _in_batches(rows: Iterable[Rejudged]) -> Iterator[list[Rejudged]]:
    rest = iter(rows)
    while some := list(islice(rest, _RECORDED_AT_ONCE)):
        yield some


def _column(name: str) -> str:
    return "level_id" if name == "level" else name


def _keep_old(rows: Iterable[Rejudged]) -> None:
    old = Submission.objects.filter(pk=OuterRef("submission"))
    Rejudged.objects.filter(pk__in=[row.pk for row in rows]).update(
        lurd_before=Subquery(old.values("lurd")), judged_before=Subquery(old.values("judged_at"))
    )


def _records(rejudging: Rejudging, rows: Iterable[Rejudged], at: datetime) -> list[Verification]:
    """Return the records of the verdicts in *rows* for the history."""
    return [
        Verification(
            submission_id=row.submission_id,
            engine_version=rejudging.engine_version,
            levels_digest=row.levels_digest,
            outcome=row.after,
            created_at=at,
        )
        for row in rows
    ]


def _tell(rejudging: Rejudging, changed: Iterable[Rejudged]) -> None:
    """Write events for submissions accepted before or now. Other verdicts are private to their sender."""
    events = []
    at = rejudging.applied_at or clock.now()
    for row in changed:
        verdicts, sent = (row.before["verdict"], row.after["verdict"]), row.submission
        if Verdict.ACCEPTED not in verdicts or sent.is_practice:
            continue
        about = {"round_id": sent.round_id, "submission": sent}
        if verdicts[0] != Verdict.ACCEPTED:
            events.append(Event(kind=Event.Kind.ACCEPTED, key=str(sent.number), at=sent.received_at, **about))
        events.append(Event(kind=Event.Kind.REJUDGED, key=f"{rejudging.pk}:{sent.number}", at=at, **about))
    Event.objects.bulk_create(events, ignore_conflicts=True)
