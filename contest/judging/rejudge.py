"""Rejudging (rule 6.13): compute without changing anything, preview the changes, then apply or cancel all of them.

Times of receipt stay, old verdicts stay in the history (Verification), and every action is recorded.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import product
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.judging import judge, outcomes
from contest.models import (
    Event,
    Level,
    Metric,
    Player,
    Rejudged,
    Rejudging,
    State,
    Submission,
    Verdict,
    Verification,
)
from contest.models.submission import SubmissionQuerySet
from contest.rankings import personal_bests, standings
from contest.staff import audit_log

Ranks = dict[tuple[int, Metric], dict[int, tuple[int, Player]]]


class NotApplied(Exception):
    """The reason why a rejudging cannot be applied, as a message."""


@dataclass(frozen=True)
class Move:
    """A change of a player's rank on a board; None is "not ranked"."""

    level: Level
    metric: Metric
    player: Player
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Preview:
    """The changes that applying would make."""

    changed: list[Rejudged]
    moves: list[Move]


@transaction.atomic
def start(name: str, chosen: dict[str, Any] | None = None, actor: audit_log.Actor = None) -> Rejudging:
    """Create a rejudging under an unused name. Raise NotApplied."""
    if Rejudging.objects.filter(name=name).exists():
        raise NotApplied(_("A rejudging with this name already exists."))
    made = Rejudging.objects.create(
        name=name, engine_version=judge.ENGINE_VERSION, chosen=chosen or {}, made_at=clock.now()
    )
    audit_log.record(actor, "start rejudging", made, after={"name": name, "chosen": made.chosen})
    return made


def selection(rejudging: Rejudging) -> SubmissionQuerySet:
    """Return the judged submissions that *rejudging* covers."""
    return _chosen(rejudging).replayable()


def pruned_count(rejudging: Rejudging) -> int:
    """Return the number of submissions that cannot be judged again and keep their verdicts (rule 15.8)."""
    return _chosen(rejudging).pruned().count()


def _chosen(rejudging: Rejudging) -> SubmissionQuerySet:
    wanted = {"round__number": rejudging.chosen.get("round"), "level__slot": rejudging.chosen.get("slot")}
    named = {name: value for name, value in wanted.items() if value}
    return Submission.objects.filter(state=State.JUDGED, **named)


def left(rejudging: Rejudging) -> int:
    """Return the number of its submissions that have not been judged again yet."""
    return selection(rejudging).exclude(pk__in=rejudging.rows.values("submission")).count()


def compute_for(rejudging: Rejudging, seconds: float) -> None:
    """Rejudge for about this many seconds, at least one submission; the next call continues."""
    until = time.monotonic() + seconds
    for _row in compute(rejudging, selection(rejudging)):
        if time.monotonic() >= until:
            return


def compute(rejudging: Rejudging, submissions: SubmissionQuerySet) -> Iterator[Rejudged]:
    """Judge *submissions* again one by one and yield each row; a second run resumes where the first stopped."""
    done = Rejudged.objects.filter(rejudging=rejudging).values("submission")
    todo = (
        submissions.filter(state=State.JUDGED)
        .exclude(pk__in=done)
        .replayable()
        .select_related("round")
        .order_by("number")
    )

    @cache
    def levels(round_id: int) -> list[Level]:
        return outcomes.levels_in_order(round_id)

    for submission in todo.iterator(chunk_size=200):
        outcome = outcomes.outcome_of(submission, levels(submission.round_id))
        after = _values(outcome.fields)
        lurd = after.pop("lurd")
        before = _columns(submission, after)
        yield Rejudged.objects.create(
            rejudging=rejudging,
            submission=submission,
            levels_digest=outcome.levels_digest,
            before=before,
            after=after,
            lurd=lurd,
            differs=_without_words(before) != _without_words(after) or submission.lurd != lurd,
        )


def preview(rejudging: Rejudging) -> Preview:
    """Return the changes, by applying them in a transaction that is rolled back: exactly what `apply` would do."""
    changed = _differing(rejudging)
    with transaction.atomic():
        levels = _levels_of(changed)
        before = _ranks(levels)
        _write(rejudging, changed)
        after = _ranks(levels)
        transaction.set_rollback(True)
    return Preview(changed, list(_moves(levels, before, after)))


@transaction.atomic
def apply(rejudging: Rejudging, actor: audit_log.Actor, reason: str) -> int:
    """Give every submission of *rejudging* its new verdict; return the number of changes. Raise NotApplied.

    All or nothing: a single verdict that has changed since it was computed stops the whole.
    """
    rejudging = Rejudging.objects.select_for_update().get(pk=rejudging.pk)
    if rejudging.applied_at:
        raise NotApplied(_("This rejudging was applied already."))
    if rejudging.engine_version != judge.ENGINE_VERSION:
        raise NotApplied(_("The judging engine has changed. Compute the rejudging again."))
    changed = _differing(rejudging)
    _write(rejudging, changed)
    _record_confirmed(rejudging)
    rejudging.applied_at = clock.now()
    _tell(rejudging, changed, rejudging.applied_at)
    rejudging.save(update_fields=["applied_at"])
    audit_log.record(actor, "rejudge", rejudging, reason=reason, after={"changed": len(changed)})
    return len(changed)


@transaction.atomic
def cancel(rejudging: Rejudging, actor: audit_log.Actor = None) -> None:
    """Delete a rejudging that was not applied; only the audit record remains. Raise NotApplied."""
    rejudging = Rejudging.objects.select_for_update().get(pk=rejudging.pk)
    if rejudging.applied_at:
        raise NotApplied(_("This rejudging was applied already."))
    audit_log.record(actor, "cancel rejudging", rejudging, before={"name": rejudging.name})
    rejudging.delete()


@transaction.atomic
def release(submissions: QuerySet[Submission], actor: audit_log.Actor, reason: str) -> int:
    """Return held submissions to the queue with all their attempts (rule 6.12); return the count."""
    held = list(submissions.filter(state=State.QUARANTINED).select_for_update())
    for submission in held:
        audit_log.record(actor, "release", submission, reason=reason)
    return Submission.objects.filter(pk__in=[row.pk for row in held]).update(state=State.QUEUED, attempts=0)


def _differing(rejudging: Rejudging) -> list[Rejudged]:
    rows = rejudging.rows.filter(differs=True).select_related("submission__player")
    return list(rows.defer("submission__text", "submission__lurd").order_by("submission"))


def _without_words(values: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict without the values of its message: a better message alone is no other verdict."""
    return {name: value for name, value in values.items() if name != "why_values"}


def _columns(submission: Submission, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(submission, f"{name}_id" if name == "level" else name) for name in names}


def _values(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value.pk if isinstance(value, Level) else value for name, value in fields.items()}


def _write(rejudging: Rejudging, changed: list[Rejudged]) -> None:
    """Write the new verdicts if the old ones are unchanged, with their records and boards."""
    levels = _levels_of(changed)
    list(Level.objects.select_for_update(no_key=True).filter(pk__in=[level.pk for level in levels]).order_by("pk"))
    at = clock.now()
    sent = _lock_unchanged(changed)
    _record(rejudging, changed, at)
    for row in changed:
        columns = {f"{name}_id" if name == "level" else name: value for name, value in row.after.items()}
        Submission.objects.filter(pk=row.submission_id).update(**columns, lurd=row.lurd, judged_at=at)
    personal_bests.recount(levels, {submission.player for submission in sent.values()})


def _lock_unchanged(changed: list[Rejudged]) -> dict[int, Submission]:
    """Lock and return the submissions, by number. Raise NotApplied if a verdict is no longer the one computed from."""
    rows = Submission.objects.select_for_update(of=["self"]).select_related("player").defer("text", "lurd")
    sent = rows.order_by("pk").in_bulk([row.submission_id for row in changed])
    for row in changed:
        submission = sent[row.submission_id]
        is_pruned = submission.full_size is not None
        if is_pruned or submission.state != State.JUDGED or _columns(submission, row.before) != row.before:
            raise NotApplied(
                _("Submission %(number)s has changed since then. Compute the rejudging again.")
                % {"number": row.submission_id}
            )
    return sent


def _record(rejudging: Rejudging, changed: list[Rejudged], at: datetime) -> None:
    """Append to the history. The same engine must not have judged differently on the same levels before."""
    numbers = [row.submission_id for row in changed]
    judged = Verification.objects.filter(submission__in=numbers, engine_version=rejudging.engine_version)
    known = set(judged.values_list("submission", "levels_digest"))
    for row in changed:
        if (row.submission_id, row.levels_digest) in known:
            raise NotApplied(
                _(
                    "This engine judged submission %(number)s differently before. Raise ENGINE_VERSION, then compute "
                    "the rejudging again."
                )
                % {"number": row.submission_id}
            )
    Verification.objects.bulk_create(
        Verification(
            submission_id=row.submission_id,
            engine_version=rejudging.engine_version,
            levels_digest=row.levels_digest,
            outcome=row.after,
            created_at=at,
        )
        for row in changed
    )


def _tell(rejudging: Rejudging, changed: Iterable[Rejudged], at: datetime) -> None:
    """Write events for submissions accepted before or now. Other verdicts are private to their sender."""
    events = []
    for row in changed:
        verdicts, sent = (row.before["verdict"], row.after["verdict"]), row.submission
        if Verdict.ACCEPTED not in verdicts or sent.is_practice:
            continue
        about = {"round_id": sent.round_id, "submission": sent}
        if verdicts[0] != Verdict.ACCEPTED:
            events.append(Event(kind=Event.Kind.ACCEPTED, key=str(sent.number), at=sent.received_at, **about))
        events.append(Event(kind=Event.Kind.REJUDGED, key=f"{rejudging.pk}:{sent.number}", at=at, **about))
    Event.objects.bulk_create(events, ignore_conflicts=True)


def _record_confirmed(rejudging: Rejudging) -> None:
    """Record in the history that this engine confirms the verdicts that did not change."""
    at = clock.now()
    confirmed = rejudging.rows.filter(differs=False).values_list("submission", "levels_digest", "after")
    records = (
        Verification(
            submission_id=number,
            engine_version=rejudging.engine_version,
            levels_digest=digest,
            outcome=outcome,
            created_at=at,
        )
        for number, digest, outcome in confirmed.iterator()
    )
    Verification.objects.bulk_create(records, batch_size=500, ignore_conflicts=True)


def _levels_of(rows: Iterable[Rejudged]) -> list[Level]:
    keys = {key for row in rows for key in (row.before["level"], row.after["level"]) if key}
    return list(Level.objects.filter(pk__in=keys).select_related("round").order_by("pk"))


def _ranks(levels: Iterable[Level]) -> Ranks:
    return {
        (level.pk, metric): {
            row.player.pk: (row.rank, row.player) for row in standings.standings(level, metric, limit=1_000_000)
        }
        for level in levels
        for metric in Metric
    }


def _moves(levels: Iterable[Level], before: Ranks, after: Ranks) -> Iterator[Move]:
    for level, metric in product(levels, Metric):
        old, new = before[level.pk, metric], after[level.pk, metric]
        for key in sorted(old.keys() | new.keys()):
            was, now = old.get(key), new.get(key)
            ranks = was and was[0], now and now[0]
            if ranks[0] != ranks[1] and (known := was or now):
                yield Move(level, metric, known[1], *ranks)
