"""Claim, replay, have it recorded (docs/judging.md).

The submission table is the queue. A row is claimed by whoever sets its token; a verdict is written only by who still
holds it. So a killed worker loses nothing, and a stalled one that wakes up late changes nothing.
"""

import logging
import math
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest

from contest.infra import clock
from contest.infra.database.beside import Beside
from contest.infra.database.compiled_queries import Question, Reader, keep_plans
from contest.infra.database.passing_trouble import will_pass
from contest.judging import outcomes, record
from contest.judging.outcomes import Outcomes, Statement, outcome_as_told, outcome_of
from contest.models import Level, State, Submission
from contest.models.submission import IN_TURN
from contest.ops import metrics
from contest.rankings import personal_bests as bests

log = logging.getLogger(__name__)

# Raised by hand when the results of a replay could change (rule 6.12).
ENGINE_VERSION = 1
BATCH = 200
# In microseconds, as submissions say what they cost: what a batch may take before its last text.
BATCH_COST = 250_000
# And from where on a batch takes long: more than one of BATCH usual texts does.
LONG_COST = 50_000
LEASE = timedelta(seconds=settings.JUDGE_LEASE_SECONDS)
MAX_ATTEMPTS = 3
# A batch records what it has after this long and gives the rest back, well before the lease ends.
BATCH_SECONDS = settings.JUDGE_LEASE_SECONDS / 4
_is_stopping = False
# Claims that this process could not even give back, while the database took nothing, and which of them it has forgiven.
_owed: list[tuple[Sequence[Submission], Sequence[Submission]]] = []


def stop() -> None:
    """Record what this process has judged, give back the rest of what it holds, and claim nothing more."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


@keep_plans()
def judge_until_empty(
    before_long: Callable[[], None] = lambda: None, *, looks_again: bool = True, until: float = math.inf
) -> int:
    """Judge everything that waits; return how many verdicts were written.

    *before_long* is called before a batch that keeps this judge busy for more than 50 ms. *until* is a time of the
    monotonic clock: no batch begins later. A caller that will look again itself can do without the last look, the one
    that finds nothing.
    """
    judged = 0
    # A batch is recorded while the next is replayed: this judge holds two at most, and never waits for its own levels.
    with Beside[int]() as recording:
        while not _is_stopping and time.monotonic() < until and (claimed := claim(BATCH)):
            if len(claimed) == BATCH or sum(row.cost for row in claimed) > LONG_COST:
                before_long()
            replayed = _replay(claimed)
            try:
                judged += recording.finish() or 0
            except Exception:  # of the batch before, which has been seen to; this one has nothing to do with it
                _settle(replayed)
                raise
            if len(claimed) == BATCH and recording.is_possible():
                recording.begin(partial(_settle_apart, replayed))
            else:
                judged += _settle(replayed)
            if not looks_again and _took_all(claimed):
                break
        return judged + (recording.finish() or 0)


def has_waiting() -> bool:
    """Return whether a row waits that no worker holds."""
    at = clock.now_at_database()
    is_free = Q(state=State.QUEUED) | Q(lease_until__lte=at) | Q(lease_until__gt=at + _BEYOND)
    return Submission.objects.waiting().filter(is_free).exists()


def _took_all(claimed: Sequence[Submission]) -> bool:
    """Whether a claim has ended neither by its bounds nor at a row that is taken alone."""
    is_cut = len(claimed) == BATCH or sum(row.cost for row in claimed) >= BATCH_COST
    return not is_cut and all(row.attempts == 1 for row in claimed)


def _settle_apart(replayed: "_Replayed") -> int:
    """`_settle` in a thread that has no connection yet; where none is to be had, what was claimed is given back."""
    with _given_back_in_trouble(replayed.claimed, but=replayed.failed), connection.cursor() as cursor:
        # A worker that shall end waits for this thread.
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{BATCH_SECONDS * 1000:.0f}"])
    with keep_plans():
        return _settle(replayed)


@keep_plans()
def judge_row(submission: Submission) -> None:
    """Claim and judge this very row, for a door that must answer at once; do nothing if somebody holds it."""
    judge_claimed(_claim(Submission.objects.filter(pk=submission.pk), 1))


def judge_all(rows: QuerySet[Submission]) -> None:
    """Judge all of *rows* that wait, for an import, which commits them with their verdicts or not at all."""
    while claimed := _claim(rows, BATCH):
        judge_claimed(claimed)


def take_at_their_word(rows: QuerySet[Submission], told: Mapping[int, Statement]) -> None:
    """Record imported results without moves as told, marked as never replayed (rule 3.3)."""
    while claimed := _claim(rows, BATCH):
        _record([outcome_as_told(submission, told[submission.pk]) for submission in claimed])


def claim(limit: int) -> list[Submission]:
    """Take rows nobody holds, those first whose turn comes first."""
    return _claim(None, limit)


# Nobody is given that long: the clock was set back since, and the row would wait for it to catch up. Twice the lease,
# for who claims in this very moment may have read the clock a little later.
_BEYOND = 2 * LEASE
# A row whose holder fell silent is taken alone: if it is the one that kills workers, it harms no other. Costly texts
# make small batches: who comes next must not wait for all of them. States stand here in the words of the index of what
# waits, so that every plan may use it.
_CLAIM = """
    UPDATE contest_submission
    SET state = 'running', claim_token = %s, lease_until = {end}, attempts = attempts + 1
    WHERE number IN (
        SELECT number FROM (
            SELECT number, state, ROW_NUMBER() OVER line AS place,
                SUM(cost) OVER line - cost AS before,
                SUM(CASE WHEN state = 'running' THEN 1 ELSE 0 END) OVER line AS fallen
            FROM (
                SELECT number, cost, turn_at, state FROM contest_submission
                WHERE state IN ('queued', 'running')
                    AND (state = 'queued' OR lease_until <= {at} OR lease_until > {beyond}) {among}
                ORDER BY {turn} LIMIT {limit} {lock}
            ) AS next WINDOW line AS (ORDER BY {turn})
        ) AS batch WHERE place = 1 OR before < {cost} AND fallen = 0
    ) RETURNING {read}, {commit} AS synchronous_commit
"""
_taken = Reader(Submission)
_READ = "number, cost, round_id, player_id, slot_named, text, reader, received_at, turn_at, attempts, claim_token"


def _claim(rows: QuerySet[Submission] | None, limit: int) -> list[Submission]:
    """Choose, take and read in one statement, for which Django has no words: who waits for it pays for each."""
    _give_back_what_is_owed()
    # By the clock that all workers share: one whose own runs ahead would rob the others.
    token, at, end, beyond = uuid.uuid4(), *map(clock.sql_at_database, (timedelta(0), LEASE, _BEYOND))
    among, chosen = rows.order_by().values("pk").query.sql_with_params() if rows is not None else ("", ())
    # No need to wait for the disk: a claim that a crash forgets is made again. (An import commits more than this.)
    waits_for_no_disk = connection.vendor == "postgresql" and not connection.in_atomic_block
    sql = _CLAIM.format(
        at=at[0],
        end=end[0],
        beyond=beyond[0],
        among=f"AND number IN ({among})" if among else "",
        turn=", ".join(IN_TURN),
        limit=limit,
        lock="FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else "",
        cost=BATCH_COST,
        read=_READ,
        commit="set_config('synchronous_commit', 'off', true)" if waits_for_no_disk else "''",
    )
    claiming = Question(_taken, sql, [record.database_value(token), *end[1], *at[1], *beyond[1], *chosen])
    taken = outcomes.read_claim(claiming, with_levels=rows is None)
    claimed = sorted(taken, key=lambda row: (row.turn_at, row.pk))
    spent = [row for row in claimed if row.attempts > MAX_ATTEMPTS]
    if spent:
        with _given_back_in_trouble(claimed):
            _quarantine(spent)
    kept = [row for row in claimed if row.attempts <= MAX_ATTEMPTS]
    return kept or (_claim(rows, limit) if spent else [])


def _quarantine(rows: Sequence[Submission]) -> None:
    numbers = [row.pk for row in rows]
    log.error("Waiting for an organiser after %d attempts: submissions %s", MAX_ATTEMPTS, numbers)
    _still_held(rows).update(state=State.QUARANTINED, claim_token=None, lease_until=None, attempts=F("attempts") - 1)


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
    with _given_back_in_trouble(claimed, but=done.failed):
        for place, submission in enumerate(claimed):
            if _is_stopping or time.monotonic() - done.started > BATCH_SECONDS:
                done.untried += claimed[place:]
                break
            if submission.round_id not in levels_of:
                levels_of[submission.round_id] = outcomes.levels_to_judge_on(submission.round_id)
            submission.round = levels_of[submission.round_id][0].round
            try:
                done.outcomes.append(outcome_of(submission, levels_of[submission.round_id]))
            except Exception as error:
                if will_pass(error):
                    raise
                # Never the player's fault: the row waits for its next attempt, and after the last one for staff.
                log.exception("Could not be judged", extra={"submission": submission.number})
                done.failed.append(submission)
    done.was_quick = time.monotonic() - done.started < LEASE.total_seconds()
    return done


def _settle(done: _Replayed) -> int:
    """Record what was replayed and give back the rest; return how many verdicts were written."""
    with _given_back_in_trouble(done.claimed, but=done.failed, forgiven=done.forgiven):
        if done.failed:
            _return_to_queue(done.failed)
        with _outlived(done):
            written = _record(done.outcomes)
        late = [outcome.submission for outcome in done.outcomes if outcome.submission.pk not in written]
        if done.untried or (late and done.was_quick):
            _give_back([*done.untried, *(late if done.was_quick else [])], done.forgiven)
    return len(written)


@contextmanager
def _outlived(done: _Replayed) -> Iterator[None]:
    """A replay that its process has outlived is no attempt, if a power cut ends it now; an error of ours inside is one.

    Only for rows with which somebody fell silent before: all others have attempts left.
    """
    if done.was_quick:
        rows = [outcome.submission for outcome in done.outcomes if outcome.submission.attempts > 1]
        done.forgiven += [row for row in rows if _still_held([row]).update(attempts=F("attempts") - 1)]
    try:
        yield
    except Exception as error:
        if done.forgiven and not (will_pass(error) or connection.in_atomic_block):
            _still_held(done.forgiven).update(attempts=F("attempts") + 1)
        raise


@contextmanager
def _given_back_in_trouble(
    claimed: Sequence[Submission], but: Sequence[Submission] = (), forgiven: Sequence[Submission] = ()
) -> Iterator[None]:
    """Where the database fails inside, give back what was *claimed*, now or before this process claims again.

    *but* are those whose attempt counts. What happens in a transaction of the caller is taken back with it.
    """
    try:
        yield
    except Exception as error:
        if will_pass(error) and not connection.in_atomic_block:
            _owed.append(([row for row in claimed if row not in but], forgiven))
            connection.close_if_unusable_or_obsolete()
            try:
                _give_back_what_is_owed()
            except Exception:
                log.exception("A claim could not be given back yet.")
        raise


def _give_back_what_is_owed() -> None:
    while not connection.in_atomic_block:
        try:
            owed = _owed.pop()
        except IndexError:  # there was none, or the recorder has just taken it
            return
        try:
            _give_back(*owed)
        except Exception:
            _owed.append(owed)
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


def _give_back(rows: Sequence[Submission], forgiven: Sequence[Submission]) -> None:
    """Undo a claim: what this process still holds waits again, and of no row does the attempt count, whoever has it."""
    if rows:
        counted = [row.pk for row in rows if row not in forgiven]
        open_rows = Submission.objects.filter(pk__in=counted, state__in=[State.QUEUED, State.RUNNING])
        with transaction.atomic():
            open_rows.update(attempts=Greatest(F("attempts") - 1, 0))
            _return_to_queue(rows)


def _return_to_queue(rows: Sequence[Submission]) -> None:
    _still_held(rows).update(state=State.QUEUED, claim_token=None, lease_until=None)


def _still_held(rows: Sequence[Submission]) -> QuerySet[Submission]:
    """Those of *rows*, one claim's, that this process still holds."""
    return Submission.objects.filter(
        pk__in=[row.pk for row in rows], claim_token=rows[0].claim_token, state=State.RUNNING
    )
