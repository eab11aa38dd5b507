"""Acts that change many rows, as jobs of a worker: batches in short transactions, progress, an end by the organiser.

The row is the job (`infra.job_queue`), and holds the progress. It is written in the transaction of each batch, so no
batch is done twice, and after a killed worker the next one continues. A batch that is refused has the act undone.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import override

from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.judging import rewriting
from contest.models import LongAct
from contest.models.work.long_act import BUSY
from contest.players import merging
from contest.rankings import ratings
from contest.results import revisions
from contest.staff import audit_log
from contest.staff.audit_log import Actor

LEASE = timedelta(minutes=1)
MOST_ATTEMPTS = 3  # of one batch
# An act of at most so many changes is carried out, and previewed, within the request; a round is slower to revise.
SMALL, SMALL_REVISION = 200, 10

State = LongAct.State
QUEUE = Queue(
    LongAct, open=Q(state__in=BUSY), lease=LEASE, most_attempts=MOST_ATTEMPTS, given_up={"state": State.FAILED}
)
# The permission that each kind of act needs; its progress can be seen with any of them.
PERMISSIONS = {
    LongAct.Kind.REJUDGE: "change_submission",
    LongAct.Kind.MERGE: "change_player",
    LongAct.Kind.UNMERGE: "change_player",
    LongAct.Kind.REVISE: "change_round",
    LongAct.Kind.RATE: "change_round",
}
_Step = Callable[[LongAct], int]


def _nothing(_job: LongAct) -> int:
    return 0


def _no_report(_job: LongAct) -> list[str]:
    return []


class _Steps(NamedTuple):
    """The batches of a kind of act: each function does the next one and returns its size, 0 after the last."""

    forward: _Step
    backward: _Step = _nothing
    close: _Step = _nothing  # after the last batch forward
    finish: Callable[[LongAct], list[str]] = _no_report  # at the end, in either direction; returns sentences
    cancel: Callable[[LongAct], dict[str, Any]] = lambda _job: {}  # returns fields to write


def _mark_and_record(job: LongAct) -> int:
    if not job.given.get("recorded"):
        rewriting.mark_applied(job)
    return rewriting.record_next(job)


_STEPS = {
    LongAct.Kind.REJUDGE: _Steps(rewriting.write_next, rewriting.restore_next, _mark_and_record),
    LongAct.Kind.MERGE: _Steps(
        merging.move_next, merging.return_next, finish=merging.finish, cancel=merging.cancel_merge
    ),
    LongAct.Kind.UNMERGE: _Steps(merging.return_next, finish=merging.finish),
    LongAct.Kind.REVISE: _Steps(revisions.revise_next, finish=revisions.rate_revised, cancel=revisions.cancel),
    LongAct.Kind.RATE: _Steps(ratings.rate_next),
}


def is_small(job: LongAct) -> bool:
    """Return True if the act is carried out within the request."""
    return job.total <= (SMALL_REVISION if job.kind == LongAct.Kind.REVISE else SMALL)


def begin(job: LongAct, wake: Callable[[], object]) -> LongAct:
    """Carry out a small act, and *wake* a worker for a large one; return its row."""
    if is_small(job):
        return work_on(job)
    wake()
    return job


def is_any_waiting() -> bool:
    """Return whether an act waits that no worker holds."""
    return QUEUE.has_free()


def work_until_empty(between: Callable[[], object] = lambda: None) -> None:
    """Carry out the waiting acts; call *between* after each batch."""
    while claimed := QUEUE.claim():
        work(claimed, between)


def work_on(job: LongAct, between: Callable[[], object] = lambda: None) -> LongAct:
    """Carry out one act in this process, and return its row."""
    if claimed := QUEUE.claim(LongAct.objects.filter(pk=job.pk)):
        work(claimed, between)
    return LongAct.objects.get(pk=job.pk)


def work(job: LongAct, between: Callable[[], object] = lambda: None) -> None:
    """Do batch after batch while the claim holds."""
    with override(job.language):
        while job.is_busy and _do_batch(job):
            between()
    QUEUE.close(job)


def _do_batch(job: LongAct) -> bool:
    """Do the next batch; return False if the claim is lost."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                fields = _advance(job)
        except (rewriting.NotApplied, ValidationError) as refusal:
            fields = _undo(job, [*job.report, *_sentences(refusal)])
        is_held = QUEUE.prolong(job, attempts=0, **fields)
        transaction.set_rollback(not is_held)
    for name, value in fields.items():
        setattr(job, name, value)
    return is_held


def _advance(job: LongAct) -> dict[str, Any]:
    """Do the next batch, and return the fields to write."""
    steps = _STEPS[LongAct.Kind(job.kind)]
    if job.state == State.CLOSING:
        return {} if steps.close(job) else _ended(State.DONE, job, steps)
    if job.state == State.UNDOING:
        if count := steps.backward(job):
            return {"done": max(job.done - count, 0)}
        return _ended(State.UNDONE, job, steps)
    if count := steps.forward(job):
        return {"done": job.done + count}
    return {"state": State.CLOSING} if steps.close is not _nothing else _ended(State.DONE, job, steps)


def _ended(state: State, job: LongAct, steps: _Steps) -> dict[str, Any]:
    return {"state": state, "ended_at": clock.now(), "report": [*job.report, *steps.finish(job)]}


def _undo(job: LongAct, report: list[str]) -> dict[str, Any]:
    """Return the fields that have the act undone, or end it if it has no way back."""
    if _STEPS[LongAct.Kind(job.kind)].backward is _nothing:
        return {"state": State.FAILED, "report": report}
    return {"state": State.UNDOING, "given": {**job.given, "undoing": True}, "report": report}


def _sentences(refusal: Exception) -> list[str]:
    return list(refusal.messages) if isinstance(refusal, ValidationError) else [str(refusal)]


@transaction.atomic
def cancel(job: LongAct, by: Actor) -> bool:
    """End an act before its end, and have a worker undo what is done; return False if it is too late.

    Revised results stay. A worker that has begun a batch loses its claim, and rolls the batch back.
    """
    steps = _STEPS[LongAct.Kind(job.kind)]
    if not job.can_be_cancelled:
        return False
    fields = steps.cancel(job)  # locks the players first, as a batch does
    if steps.backward is not _nothing:
        fields |= _undo(job, job.report)
    about = job.rejudging or job.source or job
    audit_log.record(by, "cancel act", about, before={"act": job.kind, "done": job.done})
    row = LongAct.objects.filter(pk=job.pk, state__in=(State.DOING, State.FAILED))
    unclaimed = {"claim_token": None, "lease_until": None, "attempts": 0}
    is_cancelled = row.update(**{"state": State.DOING, **unclaimed, **fields})
    transaction.set_rollback(not is_cancelled)
    return bool(is_cancelled)


def try_again(job: LongAct) -> bool:
    """Have a worker continue an act that failed; return False if it has not failed."""
    state = State.UNDOING if job.is_being_undone else State.DOING
    return bool(LongAct.objects.filter(pk=job.pk, state=State.FAILED).update(state=state, attempts=0))
