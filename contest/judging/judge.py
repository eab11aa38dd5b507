"""Replay claimed submissions and have their verdicts recorded (docs/judging.md).

The submission table is the queue. A row is claimed by whoever sets its token; a verdict is written only by who still
holds it. So a killed worker loses nothing, and a stalled one that wakes up late changes nothing.
"""

import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet

from contest.infra.database.beside import Beside
from contest.infra.database.passing_trouble import will_pass
from contest.infra.database.prepared import prepared_statements
from contest.judging import claims, outcomes, record
from contest.judging.outcomes import Outcomes, Statement, outcome_as_told, outcome_of
from contest.models import Level, Submission
from contest.ops import metrics
from contest.rankings import personal_bests as bests

log = logging.getLogger(__name__)

# Raised by hand when the results of a replay could change (rule 6.12).
ENGINE_VERSION = 1
# And from where on a batch takes long: more than one of BATCH usual texts does.
LONG_COST = 50_000
# A batch records what it has after this long and gives the rest back, well before the lease ends.
BATCH_SECONDS = settings.JUDGE_LEASE_SECONDS / 4
_is_stopping = False


def stop() -> None:
    """Record what this process has judged, give back the rest of what it holds, and claim nothing more."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


@prepared_statements()
def judge_until_empty(
    before_long: Callable[[], None] = lambda: None, *, caller_looks_again: bool = False, until: float = math.inf
) -> int:
    """Judge everything that waits; return how many verdicts were written.

    *before_long* is called before a batch that keeps this judge busy for more than 50 ms. *until* is a time of the
    monotonic clock: no batch begins later. A caller that will look again itself can do without the last look, the one
    that finds nothing.
    """
    judged = 0
    # A batch is recorded while the next is replayed: this judge holds two at most, and never waits for its own levels.
    with Beside[int]() as recording:
        while not _is_stopping and time.monotonic() < until and (claimed := claims.claim(claims.BATCH)):
            if len(claimed) == claims.BATCH or sum(row.cost for row in claimed) > LONG_COST:
                before_long()
            replayed = _replay(claimed)
            try:
                judged += recording.finish() or 0
            except Exception:  # of the batch before, which has been seen to; this one has nothing to do with it
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
    """Whether a claim has ended neither by its bounds nor at a row that is taken alone."""
    is_cut = len(claimed) == claims.BATCH or sum(row.cost for row in claimed) >= claims.BATCH_COST
    return not is_cut and all(row.attempts == 1 for row in claimed)


def _settle_apart(replayed: "_Replayed") -> int:
    """`_settle` in a thread that has no connection yet; where none is to be had, what was claimed is given back."""
    with claims.given_back_in_trouble(replayed.claimed, but=replayed.failed), connection.cursor() as cursor:
        # A worker that shall end waits for this thread.
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{BATCH_SECONDS * 1000:.0f}"])
    with prepared_statements():
        return _settle(replayed)


@prepared_statements()
def judge_row(submission: Submission) -> None:
    """Claim and judge this very row, for a door that must answer at once; do nothing if somebody holds it."""
    judge_claimed(claims.claim(1, Submission.objects.filter(pk=submission.pk)))


def judge_all(rows: QuerySet[Submission]) -> None:
    """Judge all of *rows* that wait, for an import, which commits them with their verdicts or not at all."""
    while claimed := claims.claim(claims.BATCH, among=rows):
        judge_claimed(claimed)


def take_at_their_word(rows: QuerySet[Submission], told: Mapping[int, Statement]) -> None:
    """Record imported results without moves as told, marked as never replayed (rule 3.3)."""
    while claimed := claims.claim(claims.BATCH, among=rows):
        _record([outcome_as_told(submission, told[submission.pk]) for submission in claimed])


def judge_claimed(claimed: Sequence[Submission]) -> int:
    """Replay rows this process holds and record them; give back what there was no time for."""
    return _settle(_replay(claimed))


@dataclass
class _Replayed:
    """What came of the rows that one claim took."""

    claimed: Sequence[Submission]
    started: float = field(default_factory=time.monotonic)
    outcomes: list[Outcomes] = field(default_factory=list)
    untried: list[Submission] = field(default_factory=list)
    failed: list[Submission] = field(default_factory=list)
    # Those whose attempt does not count any more, and is not to be taken back again.
    forgiven: list[Submission] = field(default_factory=list)
    was_quick: bool = True


def _replay(claimed: Sequence[Submission]) -> _Replayed:
    """Replay what was *claimed*.

    An attempt is a replay that raised, took longer than the lease, or ended its process. What the database could not
    take, and what another claimed only because the database let this process wait, was none.
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
                if will_pass(error):
                    raise
                # Never the player's fault: the row waits for its next attempt, and after the last one for staff.
                log.exception("Could not be judged", extra={"submission": submission.number})
                done.failed.append(submission)
    done.was_quick = time.monotonic() - done.started < claims.LEASE.total_seconds()
    return done


def _settle(done: _Replayed) -> int:
    """Record what was replayed and give back the rest; return how many verdicts were written."""
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
    """A replay that its process has outlived is no attempt, if a power cut ends it now; an error of ours inside is one.

    Only for rows with which somebody fell silent before: all others have attempts left.
    """
    if done.was_quick:
        rows = [outcome.submission for outcome in done.outcomes if outcome.submission.attempts > 1]
        done.forgiven += [row for row in rows if claims.still_held([row]).update(attempts=F("attempts") - 1)]
    try:
        yield
    except Exception as error:
        if done.forgiven and not (will_pass(error) or connection.in_atomic_block):
            claims.still_held(done.forgiven).update(attempts=F("attempts") + 1)
        raise


def _record(those: Sequence[Outcomes]) -> record.Written:
    """Write the verdicts this process still has a right to, with everything that hangs on them."""
    if not those:
        return {}
    # A batch of one claim, so it has one token.
    token, told = those[0].submission.claim_token, [_line(outcome) for outcome in those]
    takes_spectators = any(outcome.submission.round.takes_spectators for outcome in those)
    written = None if takes_spectators else record.write(token, told)
    if written is None:
        with transaction.atomic():
            written = record.write_alone(token, told)
            if takes_spectators:
                bests.see_spectators_off(written)
    came = {outcome.submission.pk: outcome.submission.came_at for outcome in those}
    judged = [(verdict, (at - came[number]).total_seconds()) for number, (verdict, at) in written.items()]
    transaction.on_commit(partial(_report, written, judged))
    return written


def _report(written: record.Written, judged: Sequence[tuple[str, float]]) -> None:
    """Count the verdicts and log a line for each."""
    metrics.count_verdicts(judged)
    for number, (verdict, seconds) in zip(written, judged, strict=True):
        log.info("Judged: %s, after %.3f s", verdict, seconds, extra={"submission": number})


def _line(outcome: Outcomes) -> dict[str, Any]:
    """One submission as `record` is told of it."""
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
