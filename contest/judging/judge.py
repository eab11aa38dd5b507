"""Claim, replay, have it recorded (docs/judging.md).

The submission table is the queue. A row is claimed by whoever sets its token; a verdict is written only by who still
holds it. So a killed worker loses nothing, and a stalled one that wakes up late changes nothing.
"""

import hashlib
import logging
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet

from contest.infra import clock
from contest.infra.database.compiled_queries import keep_plans
from contest.judging import record
from contest.judging import suggestions as offers
from contest.models import NOT_REPLAYED, Level, Slot, State, Submission, Verdict
from contest.models.submission import IN_TURN
from contest.ops import metrics
from contest.rankings import personal_bests as bests
from solvers.sokoban import readers
from solvers.sokoban.readers import Judgement, Outcome
from solvers.sokoban.spectator import SpectatorAnswer

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

_VERDICT_OF = {
    Outcome.SOLVED: Verdict.ACCEPTED,
    Outcome.NOT_SOLVED: Verdict.NOT_SOLVED,
    Outcome.ILLEGAL: Verdict.ILLEGAL,
    Outcome.MALFORMED: Verdict.MALFORMED,
    Outcome.EMPTY: Verdict.EMPTY,
    Outcome.TOO_LONG: Verdict.TOO_LONG,
}


@dataclass(frozen=True)
class Outcomes:
    """What is to be written for one submission, and the digest of the level texts it was tried on."""

    submission: Submission
    fields: dict[str, Any]
    levels_digest: str


def stop() -> None:
    """Record what this process has judged, give back the rest of what it holds, and claim nothing more."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


@keep_plans()
def judge_until_empty(before_long: Callable[[], None] = lambda: None) -> int:
    """Judge everything that waits; return how many verdicts were written.

    *before_long* is called before a batch that may keep this judge busy for a while: another may do what comes now.
    """
    judged = 0
    while not _is_stopping and (claimed := claim(BATCH)):
        if sum(row.cost for row in claimed) > LONG_COST:
            before_long()
        judged += judge_claimed(claimed)
    return judged


@keep_plans()
def judge_row(submission: Submission) -> None:
    """Claim and judge this very row, for a door that must answer at once; do nothing if somebody holds it."""
    judge_claimed(_claim(Submission.objects.filter(pk=submission.pk), 1))


class Told(NamedTuple):
    """What an import says of a submission whose moves nobody has."""

    verdict: Verdict
    level: Level
    moves: int
    pushes: int


def judge_all(rows: QuerySet[Submission]) -> None:
    """Judge all of *rows* that wait, for an import, which commits them with their verdicts or not at all."""
    while claimed := _claim(rows, BATCH):
        judge_claimed(claimed)


def take_at_their_word(rows: QuerySet[Submission], told: Mapping[int, Told]) -> None:
    """Record imported results without moves as told, marked as never replayed (rule 3.3)."""
    while claimed := _claim(rows, BATCH):
        _record([Outcomes(submission, _fields_as_told(told[submission.pk]), "") for submission in claimed])


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
    ) RETURNING {read}
"""
_READ = "number, cost, round_id, player_id, slot_named, text, reader, received_at, turn_at, attempts, claim_token"


def _claim(rows: QuerySet[Submission] | None, limit: int) -> list[Submission]:
    """Choose, take and read in one statement, for which Django has no words: who waits for it pays for each."""
    # By the clock that all workers share: one whose own runs ahead would rob the others.
    token, at, end, beyond = uuid.uuid4(), *map(clock.sql_at_database, (timedelta(0), LEASE, _BEYOND))
    among, chosen = rows.order_by().values("pk").query.sql_with_params() if rows is not None else ("", ())
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
    )
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        # No need to wait for the disk: a claim that a crash forgets is made again. (An import commits more than this.)
        sql += ", set_config('synchronous_commit', 'off', true) AS synchronous_commit"
    taken = Submission.objects.raw(sql, [record.database_value(token), *end[1], *at[1], *beyond[1], *chosen])
    claimed = sorted(taken, key=lambda row: (row.turn_at, row.pk))
    spent = [row for row in claimed if row.attempts > MAX_ATTEMPTS]
    if spent:
        _quarantine(spent)
    kept = [row for row in claimed if row.attempts <= MAX_ATTEMPTS]
    return kept or (_claim(rows, limit) if spent else [])


def _quarantine(rows: Sequence[Submission]) -> None:
    numbers = [row.pk for row in rows]
    log.error("Held for staff after %d attempts: submissions %s", MAX_ATTEMPTS, numbers)
    _held(rows).update(state=State.QUARANTINED, claim_token=None, lease_until=None, attempts=F("attempts") - 1)


def judge_claimed(claimed: Sequence[Submission]) -> int:
    """Replay rows this process holds and record them; give back what there was no time for."""
    started = time.monotonic()
    outcomes: list[Outcomes] = []
    levels_of: dict[int, list[Level]] = {}
    for done, submission in enumerate(claimed):
        if _is_stopping or time.monotonic() - started > BATCH_SECONDS:
            _give_back(claimed[done:])
            break
        if submission.round_id not in levels_of:
            levels_of[submission.round_id] = levels_in_order(submission.round_id)
        submission.round = levels_of[submission.round_id][0].round
        try:
            outcomes.append(outcome_of(submission, levels_of[submission.round_id]))
        except Exception:
            # Never the player's fault: the row waits for its next attempt, and after the last one for staff.
            log.exception("Could not be judged", extra={"submission": submission.number})
            _return_to_queue([submission])
    return _record(outcomes)


def levels_in_order(round_id: int) -> list[Level]:
    """Rule 6.8: main, extra, extra2, extra3."""
    order = list(Slot)
    levels = Level.objects.filter(round=round_id).select_related("round").defer("solution")
    return sorted(levels, key=lambda level: order.index(Slot(level.slot)))


def outcome_of(submission: Submission, levels: list[Level]) -> Outcomes:
    """Replay one submission. Pure computation with a cap on length; no transaction is open meanwhile."""
    tried = [level for level in levels if submission.slot_named in ("", level.slot)]
    text = bytes(submission.text).decode("utf-8", "surrogatepass")
    reader, limit = readers.Reader(submission.reader), submission.round.max_moves
    plays = readers.plays_for(limit)
    judgement = readers.judge([level.board for level in tried], text, reader, limit=limit, plays=plays)
    fields = _fields(judgement, tried)
    if judgement.outcome in (Outcome.NOT_SOLVED, Outcome.ILLEGAL):
        others = [level for level in levels if level not in tried]
        spectator = submission.round.takes_spectators
        found = offers.second_look(text, reader, limit, tried=tried, others=others, spectator=spectator, plays=plays)
        fields["turned"] = found.offer
        if found.spectator:
            fields |= _spectator_fields(found.spectator, tried)
    digest = hashlib.sha256("\n".join(level.sha256 for level in tried).encode()).hexdigest()
    return Outcomes(submission, fields, digest)


def dry_run(submission: Submission, levels: list[Level]) -> Submission:
    """Give *submission*, which is stored nowhere, the verdict it would get on *levels*; nothing is written."""
    for name, value in outcome_of(submission, levels).fields.items():
        setattr(submission, name, value)
    submission.state = State.JUDGED
    return submission


def _fields(judgement: Judgement, tried: list[Level]) -> dict[str, Any]:
    level = tried[judgement.level] if judgement.level is not None else None
    replayed = judgement.replay
    accepted = judgement.outcome is Outcome.SOLVED
    return {
        "verdict": _VERDICT_OF[judgement.outcome],
        "level": level,
        "lurd": replayed.lurd if replayed and accepted else "",
        "moves": judgement.moves if replayed else None,
        "pushes": judgement.pushes if replayed else None,
        "cut": judgement.cut,
        "case_corrected": accepted and judgement.case_corrected,
        "index": judgement.index,
        "step": judgement.step,
        "why": str(judgement.why or ""),
        "why_values": _plain(judgement.error.values) if judgement.error else {},
        "boxes_home": replayed.boxes_home if replayed else None,
        "turned": None,
    }


def _fields_as_told(told: Told) -> dict[str, Any]:
    """The verdict of an import, with no replay behind it: the record says so for ever."""
    return _fields(Judgement(Outcome.EMPTY), []) | {**told._asdict(), "why": NOT_REPLAYED}


def _spectator_fields(answer: SpectatorAnswer, tried: list[Level]) -> dict[str, Any]:
    """Rule 13.3: scored at the first state with all boxes but one home, and cut there."""
    return {
        "verdict": Verdict.SPECTATOR,
        "level": tried[answer.level],
        "lurd": answer.lurd,
        "moves": answer.moves,
        "pushes": answer.pushes,
        "cut": answer.cut,
        "case_corrected": answer.case_corrected,
        "index": None,
        "step": None,
        "why": "",
        "boxes_home": answer.boxes_home,
    }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Values for a JSON column: PostgreSQL's refuses NUL and lone surrogates, so odd characters go by their number."""
    return {
        name: value
        if isinstance(value, int | type(None)) or str(value).isprintable()
        else f"U+{ord(str(value)[0]):04X}"
        for name, value in values.items()
    }


def _record(outcomes: Sequence[Outcomes]) -> int:
    """Write the verdicts this process still has a right to, with everything that hangs on them."""
    if not outcomes:
        return 0
    # A batch of one claim, so it has one token.
    token, told = outcomes[0].submission.claim_token, [_line(outcome) for outcome in outcomes]
    takes_spectators = any(outcome.submission.round.takes_spectators for outcome in outcomes)
    written = None if takes_spectators else record.write(token, told)
    if written is None:
        with transaction.atomic():
            written = record.write_alone(token, told)
            if takes_spectators:
                bests.see_spectators_off(written)
    received = {outcome.submission.pk: outcome.submission.received_at for outcome in outcomes}
    judged = [(verdict, (at - received[number]).total_seconds()) for number, (verdict, at) in written.items()]
    transaction.on_commit(lambda: metrics.count_verdicts(judged))
    return len(written)


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


def _give_back(rows: Sequence[Submission]) -> None:
    """Return untried rows to the queue; the claim does not count as an attempt."""
    _held(rows).update(state=State.QUEUED, claim_token=None, lease_until=None, attempts=F("attempts") - 1)


def _return_to_queue(rows: Sequence[Submission]) -> None:
    _held(rows).update(state=State.QUEUED, claim_token=None, lease_until=None)


def _held(rows: Sequence[Submission]) -> QuerySet[Submission]:
    """Those of *rows*, one claim's, that this process still holds."""
    return Submission.objects.filter(
        pk__in=[row.pk for row in rows], claim_token=rows[0].claim_token, state=State.RUNNING
    )
