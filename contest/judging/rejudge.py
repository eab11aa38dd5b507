"""Rejudging (rule 6.13): compute without changing anything, preview the changes, then apply or cancel all of them.

Times of receipt stay, old verdicts stay in the history (Verification), and every action is recorded.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.judging import judge, outcomes, rank_changes, rewriting
from contest.models import Level, LongAct, Rejudged, Rejudging, State, Submission
from contest.models.submission import SubmissionQuerySet
from contest.staff import audit_log

NotApplied = rewriting.NotApplied


@dataclass(frozen=True)
class Preview:
    """The changes that applying would make."""

    changed: list[Rejudged]
    moves: list[rank_changes.Move]


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
    """Judge *submissions* again one by one and yield each row; a second run resumes where the first stopped.

    Nothing is added while the rejudging is being applied.
    """
    if rejudging.acts.unended().exists():
        return
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
    """Return the changes that `apply` would make. Writes nothing; raise NotApplied if it would be refused."""
    changed = _differing(rejudging)
    check(rejudging)
    return Preview(changed, list(rank_changes.find(rejudging, changed)))


def changed_count(rejudging: Rejudging) -> int:
    """Return the number of verdicts that `apply` would change."""
    return rejudging.rows.filter(differs=True).count()


def apply(rejudging: Rejudging, actor: audit_log.Actor, reason: str) -> LongAct:
    """Have a worker give every submission of *rejudging* its new verdict. Raise NotApplied.

    All or nothing: batches follow one another (`rewriting.write_next`). If the organiser cancels, or a verdict is no
    longer the one that was computed from, the verdicts that are written are restored.
    """
    check(rejudging)  # reads all rows, so outside the transaction; each batch looks again
    return _begin(rejudging, actor, reason)


@transaction.atomic
def _begin(rejudging: Rejudging, actor: audit_log.Actor, reason: str) -> LongAct:
    rejudging = Rejudging.objects.select_for_update().get(pk=rejudging.pk)
    if rejudging.applied_at:
        raise NotApplied(_("This rejudging was applied already."))
    if LongAct.objects.unended().filter(kind=LongAct.Kind.REJUDGE).exists():
        raise NotApplied(_("A rejudging is being applied; wait until that is done."))
    audit_log.record(actor, "apply rejudging", rejudging, reason=reason)
    given, total = {"reason": reason}, changed_count(rejudging)
    return LongAct.objects.ask(LongAct.Kind.REJUDGE, actor, clock.now(), rejudging=rejudging, given=given, total=total)


def check(rejudging: Rejudging) -> None:
    """Raise NotApplied if it was applied, or if engine or verdicts are no longer those that it was computed from."""
    if rejudging.applied_at:
        raise NotApplied(_("This rejudging was applied already."))
    if rejudging.engine_version != judge.ENGINE_VERSION:
        raise NotApplied(_("The judging engine has changed. Compute the rejudging again."))
    rows = rejudging.rows.filter(differs=True).defer("lurd", "lurd_before")
    rewriting.check_unchanged(rows)
    rewriting.check_uncontradicted(rejudging, rows)


@transaction.atomic
def cancel(rejudging: Rejudging, actor: audit_log.Actor = None) -> None:
    """Delete a rejudging that was not applied; only the audit record remains. Raise NotApplied."""
    rejudging = Rejudging.objects.select_for_update().get(pk=rejudging.pk)
    if rejudging.applied_at:
        raise NotApplied(_("This rejudging was applied already."))
    if rejudging.acts.unended().exists():
        raise NotApplied(_("A rejudging is being applied; wait until that is done."))
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
    return list(rows.defer("submission__text", "submission__lurd", "lurd_before").order_by("submission"))


def _without_words(values: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict without the values of its message: a better message alone is no other verdict."""
    return {name: value for name, value in values.items() if name != "why_values"}


def _columns(submission: Submission, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(submission, f"{name}_id" if name == "level" else name) for name in names}


def _values(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value.pk if isinstance(value, Level) else value for name, value in fields.items()}
