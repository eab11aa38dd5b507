"""Replay claimed submissions and record their verdicts (docs/explanation/judging.md).

The submission table is the queue. A worker claims a row by setting its token, and writes a verdict only while it still
holds it. So a killed worker loses nothing, and a stalled worker that resumes late changes nothing.
"""

import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet

from contest.infra.database.beside import Beside
from contest.infra.database.passing_trouble import is_temporary
from contest.infra.database.prepared import prepared_statements
from contest.judging import claims, outcomes, record
from contest.judging.outcomes import Outcomes, Statement, outcome_as_reported, outcome_of
from contest.models import SCORED, Level, Submission
from contest.ops import metrics
from contest.rankings import personal_bests as bests

log = logging.getLogger(__name__)

# Increment by hand when the results of a replay could change (rule 6.12).
ENGINE_VERSION = 1
# Cost above which a batch counts as long: more than one BATCH of usual texts.
LONG_COST = 50_000
# After this long a batch records its verdicts and returns the rest to the queue, well before the lease ends.
BATCH_SECONDS = settings.JUDGE_LEASE_SECONDS / 4
_is_stopping = False


def stop() -> None:
    """Record finished verdicts, return the other claimed rows to the queue, and stop claiming."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


@prepared_statements()
def judge_until_empty(
    before_long: Callable[[], None] = lambda: None, *, caller_looks_again: bool = False, until: float = math.inf
) -> int:
    """Judge all waiting submissions; return the number of verdicts written.

    *before_long* is called before a batch that takes over 50 ms. No batch begins after *until*, a time of the monotonic
    clock. *caller_looks_again* skips the last query, which would find nothing: the caller polls again.
    """
    judged = 0
    # A batch is recorded while the next is replayed: a judge holds at most two, and never waits for its own levels.
    with Beside[int]() as recording:
        while not _is_stopping and time.monotonic() < until and (claimed := claims.claim(claims.BATCH)):
            if len(claimed) == claims.BATCH or sum(row.cost for row in claimed) > LONG_COST:
                before_long()
            replayed = _replay(claimed)
            try:
                judged += recording.finish() or 0
            except Exception:  # from the previous batch, which is handled already; this batch is unaffected
                _settle(replayed)
                raise
            if len(claimed) == claims.BATCH and recording.is_possible():
                recording.begin(partial(_settle_apart, replayed))
            else:
                judged += _settle(replayed)
            if caller_looks_again and _took_all(claimed):
                break
        return judged + (recording.finish() or 0)


def _took_all(claimed: Sequence[Submission]) -> bool:
    """Return True if neither the batch limits nor a row that is claimed alone cut the claim short."""
    is_cut = len(claimed) == claims.BATCH or sum(row.cost for row in claimed) >= claims.BATCH_COST
    return not is_cut and all(row.attempts == 1 for row in claimed)


def _settle_apart(replayed: "_Replayed") -> int:
    """Run `_settle` in a thread without a connection; if it gets none, return the claimed rows to the queue."""
    with claims.given_back_in_trouble(replayed.claimed, but=replayed.failed), connection.cursor() as cursor:
        # A worker that is shutting down waits for this thread.
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{BATCH_SECONDS * 1000:.0f}"])
    with prepared_statements():
        return _settle(replayed)


@prepared_statements()
def judge_next() -> None:
    """Judge one batch of the rows whose turn it is, for a request that cannot wait for a worker."""
    judge_claimed(claims.claim(claims.BATCH))


def judge_all(rows: QuerySet[Submission]) -> None:
    """Judge all waiting submissions in *rows*, for an import that commits them together with their verdicts."""
    while claimed := claims.claim(claims.BATCH, among=rows):
        judge_claimed(claimed)


def accept_as_reported(rows: QuerySet[Submission], reported: Mapping[int, Statement]) -> None:
    """Record imported results without moves unverified, marked as never replayed (rule 3.3)."""
    while claimed := claims.claim(claims.BATCH, among=rows):
        _record([outcome_as_reported(submission, reported[submission.pk]) for submission in claimed])


def judge_claimed(claimed: Sequence[Submission]) -> int:
    """Replay and record rows held by this process; return those it had no time for to the queue."""
    return _settle(_replay(claimed))


@dataclass
class _Replayed:
    """The results of replaying the rows of one claim."""

    claimed: Sequence[Submission]
    started: float = field(default_factory=time.monotonic)
    outcomes: list[Outcomes] = field(default_factory=list)
    untried: list[Submission] = field(default_factory=list)
    failed: list[Submission] = field(default_factory=list)
    # Rows whose attempt was already undone; it must not be undone twice.
    forgiven: list[Submission] = field(default_factory=list)
    was_quick: bool = True


def _replay(claimed: Sequence[Submission]) -> _Replayed:
    """Replay the *claimed* rows.

    An attempt is a replay that raised, exceeded the lease or ended its process. A database failure is none, nor is a
    row that another worker claimed because the database made this process wait.
    """
    done = _Replayed(claimed)
    levels_of: dict[int, list[Level]] = {}
    with claims.given_back_in_trouble(claimed, but=done.failed):
        for place, submission in enumerate(claimed):
            if _is_stopping or time.monotonic() - done.started > BATCH_SECONDS:
                done.untried += claimed[place:]
                break
            if submission.round_id not in levels_of:
                levels_of[submission.round_id] = outcomes.levels_in_order(submission.round_id)
            submission.round = levels_of[submission.round_id][0].round
            try:
                done.outcomes.append(outcome_of(submission, levels_of[submission.round_id]))
            except Exception as error:
                if is_temporary(error):
                    raise
                # Never the player's fault: the row is retried, and after the last attempt held for staff.
                log.exception("Could not be judged", extra={"submission": submission.number})
                done.failed.append(submission)
    done.was_quick = time.monotonic() - done.started < claims.LEASE.total_seconds()
    return done


def _settle(done: _Replayed) -> int:
    """Record the replayed rows and return the rest to the queue; return the number of verdicts written."""
    with claims.given_back_in_trouble(done.claimed, but=done.failed, forgiven=done.forgiven):
        if done.failed:
            claims.return_to_queue(done.failed)
        with _outlived(done):
            written = _record(done.outcomes)
        late = [outcome.submission for outcome in done.outcomes if outcome.submission.pk not in written]
        if done.untried or (late and done.was_quick):
            claims.give_back([*done.untried, *(late if done.was_quick else [])], done.forgiven)
    return len(written)


@contextmanager
def _outlived(done: _Replayed) -> Iterator[None]:
    """Discount the attempt before recording: a power cut then is no attempt, but an error of ours inside is one.

    Only for rows whose earlier worker died: all others have attempts left.
    """
    if done.was_quick:
        rows = [outcome.submission for outcome in done.outcomes if outcome.submission.attempts > 1]
        done.forgiven += [row for row in rows if claims.still_held([row]).update(attempts=F("attempts") - 1)]
    try:
        yield
    except Exception as error:
        if done.forgiven and not (is_temporary(error) or connection.in_atomic_block):
            claims.still_held(done.forgiven).update(attempts=F("attempts") + 1)
        raise


def _record(results: Sequence[Outcomes]) -> record.Written:
    """Write the verdicts that this process still has a right to write, with all dependent rows."""
    if not results:
        return {}
    # All rows are from one claim, so they share one token.
    token, lines = results[0].submission.claim_token, [_line(outcome) for outcome in results]
    takes_spectators = any(outcome.submission.round.takes_spectators for outcome in results)
    written = _write(token, lines, takes_spectators=takes_spectators)
    came = {outcome.submission.pk: outcome.submission.came_at for outcome in results}
    judged = [(verdict, (at - came[number]).total_seconds()) for number, (verdict, at) in written.items()]
    transaction.on_commit(partial(_report, written, judged))
    return written


def _write(token: UUID | None, lines: Sequence[Mapping[str, Any]], *, takes_spectators: bool) -> record.Written:
    """Write the verdicts together; if a level is locked, those on other levels first, so that they do not wait."""
    write_alone = partial(_write_alone, token, takes_spectators=takes_spectators)
    written = None if takes_spectators else record.write(token, lines)
    if written is None:
        written = write_alone(lines, may_wait=False)
    if written is None:
        written, locked = {}, []
        for _level, part in groupby(sorted(lines, key=_board_of), key=_board_of):
            verdicts = list(part)
            done = write_alone(verdicts, may_wait=False)
            written |= done or {}
            locked += verdicts if done is None else []
        if locked:
            written |= write_alone(locked, may_wait=True) or {}
    return written


def _board_of(line: Mapping[str, Any]) -> int:
    """Return the level with a board that the verdict changes, or 0."""
    return line["level_id"] if line["verdict"] in SCORED else 0


@transaction.atomic
def _write_alone(
    token: UUID | None, lines: Sequence[Mapping[str, Any]], *, takes_spectators: bool, may_wait: bool
) -> record.Written | None:
    written = record.write_alone(token, lines, may_wait=may_wait)
    if written and takes_spectators:
        bests.remove_spectators(written)
    return written


def _report(written: record.Written, judged: Sequence[tuple[str, float]]) -> None:
    """Count the verdicts and log a line for each."""
    metrics.count_verdicts(judged)
    for number, (verdict, seconds) in zip(written, judged, strict=True):
        log.info("Judged: %s, after %.3f s", verdict, seconds, extra={"submission": number})


def _line(outcome: Outcomes) -> dict[str, Any]:
    """Return the row for `record` about one submission."""
    fields = dict(outcome.fields)
    level = fields.pop("level")
    kept = {name: value for name, value in fields.items() if name not in ("lurd", "turned")}
    return {
        **fields,
        "level_id": level.pk if level else None,
        "number": outcome.submission.pk,
        "engine_version": ENGINE_VERSION,
        "levels_digest": outcome.levels_digest,
        "outcome": {**kept, "level": level.slot if level else None},
    }
