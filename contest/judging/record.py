"""Write verdicts with all dependent rows: verifications, best rows, events and board versions.

On PostgreSQL one statement does it, so that a verdict waits for one round trip and one commit; on SQLite the same parts
run in sequence in one transaction.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from contest.infra import clock
from contest.infra.database import bulk_statements as bulk
from contest.models import SCORED, Event, Level, Submission, Verdict, Verification
from contest.rankings import personal_bests as bests

# Verdict and time by submission number.
Written = dict[int, tuple[str, datetime]]

_FIELDS = (
    "verdict", "level", "lurd", "moves", "pushes", "cut", "case_corrected", "index", "step", "why", "why_values",
    "boxes_home", "turned",
)  # fmt: skip
_COLUMNS = {Submission: ("number", *_FIELDS), Verification: ("engine_version", "levels_digest", "outcome")}
_ACCEPTED = Verdict.ACCEPTED.value
_SCORED = ", ".join(f"'{verdict.value}'" for verdict in SCORED)

# Only the holder of the claim may write: a stalled worker that resumes late changes nothing. `state || ''` keeps the
# planner from scanning the partial index of waiting rows: each row is looked up by its number instead.
_JUDGE = """
    UPDATE contest_submission SET {changes}, state = 'judged', judged_at = {at}, claim_token = NULL, lease_until = NULL
    FROM verdicts WHERE contest_submission.number = verdicts.number AND claim_token = %s AND state || '' = 'running'
"""
# The following parts see only rows just written by _JUDGE as contest_submission.
_VERIFY = """
    INSERT INTO contest_verification (submission_id, engine_version, levels_digest, outcome, created_at)
    SELECT verdicts.number, verdicts.engine_version, verdicts.levels_digest, verdicts.outcome, {at}
    FROM verdicts JOIN contest_submission ON contest_submission.number = verdicts.number
"""
# Written with its verdict in one transaction: both are committed, or neither.
_ADD_EVENTS = f"""
    INSERT INTO contest_event (kind, "key", "at", round_id, submission_id, "by")
    SELECT '{Event.Kind.ACCEPTED.value}', CAST(number AS TEXT), received_at, round_id, number, ''
    FROM contest_submission WHERE verdict = '{_ACCEPTED}' AND NOT is_practice ON CONFLICT DO NOTHING
"""  # noqa: S608 - words of our own
_RAISE_VERSIONS = f"""
    UPDATE contest_level SET board_version = board_version + 1
    WHERE id IN (SELECT level_id FROM contest_submission WHERE verdict IN ({_SCORED}))
"""  # noqa: S608 - words of our own
# Every writer to a board locks its level first, and all lock levels in one order: no deadlock. After waiting for that
# lock, though, the statement's snapshot may be older than the last holder's changes (which results count, and for which
# player). Those changes raise the board's version; then nothing is written. Nor is anything written if another
# transaction holds a level at this moment: the verdicts on other levels must not wait for it.
_AT_ONCE = """
    WITH verdicts AS ({verdicts} LIMIT {most}),
    seen AS (SELECT id, board_version FROM contest_level WHERE id = ANY(%s::bigint[])),
    held AS (
        SELECT id, board_version FROM contest_level WHERE id = ANY(%s::bigint[])
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    ),
    stale AS MATERIALIZED (
        SELECT id FROM seen LEFT JOIN held USING (id) WHERE seen.board_version IS DISTINCT FROM held.board_version
    ),
    contest_submission AS ({judge} AND NOT EXISTS (SELECT FROM stale) RETURNING {columns}),
    verified AS ({verify}), entered AS ({enter}), announced AS ({add_events}), raised AS ({raise_})
    SELECT EXISTS (SELECT FROM stale), max(judged_at), array_agg(number), array_agg(verdict) FROM contest_submission
"""


def write(token: UUID | None, verdicts: Sequence[Mapping[str, Any]]) -> Written | None:
    """Write the *verdicts* columns of submissions still held by *token*; return what was written.

    None if a board changed meanwhile or is locked, in which case nothing was written: retry while holding the levels.
    """
    if connection.vendor != "postgresql":
        with transaction.atomic():
            return _in_parts(token, verdicts)
    at, times = clock.sql_at_database()
    # Round the row count up to a power of four: plans depend on it only roughly, so that few have to be cached.
    sql, values = _at_once(at, 1 << 2 * -(-(len(verdicts) - 1).bit_length() // 2))
    levels = _scored_levels(verdicts)
    parameters = [bulk.lines(verdicts), levels, levels, *times, database_value(token), *times, *values]
    [(is_stale, judged_at, numbers, names)] = bulk.rows(sql, parameters)
    if is_stale:
        return None
    return {number: (verdict, judged_at) for number, verdict in zip(numbers or (), names or (), strict=True)}


@cache
def _at_once(at: str, most: int) -> tuple[str, tuple[Any, ...]]:
    """Return the statement for *most* submissions at the time *at*, and the last of its parameters."""
    enter, values = bests.entering()
    sql = _AT_ONCE.format(
        verdicts=bulk.table(_COLUMNS),
        most=most,
        judge=_JUDGE.format(changes=bulk.changes(Submission, _FIELDS, "verdicts"), at=at),
        columns=", ".join(f"contest_submission.{name}" for name in (*bests.COLUMNS, "judged_at")),
        verify=_VERIFY.format(at=at),
        enter=enter,
        add_events=_ADD_EVENTS,
        raise_=_RAISE_VERSIONS,
    )
    return sql, values


def write_alone(token: UUID | None, verdicts: Sequence[Mapping[str, Any]], *, may_wait: bool) -> Written | None:
    """Call `write` with the levels locked before anything is read. The caller must be in a transaction.

    Return None if another transaction has locked one of them, unless the call *may_wait*.
    """
    levels = Level.objects.filter(pk__in=_scored_levels(verdicts)).order_by("pk")
    if len(levels.select_for_update(no_key=True, skip_locked=not may_wait)) < len(_scored_levels(verdicts)):
        return None
    written = write(token, verdicts)
    if written is None:
        raise RuntimeError("A board was changed while its level was held.")
    return written


def database_value(token: UUID | None) -> Any:
    """Return the *token* of a claim as a database value."""
    return Submission._meta.get_field("claim_token").get_db_prep_save(token, connection)


def _in_parts(token: UUID | None, verdicts: Sequence[Mapping[str, Any]]) -> Written:
    """Do the same on a database with a single writer."""
    (at, times), (enter, values) = clock.sql_at_database(), bests.entering()
    judge = _JUDGE.format(changes=bulk.changes(Submission, _FIELDS, "verdicts"), at=at)
    table = f"verdicts AS ({bulk.table(_COLUMNS)})"
    judged_at = clock.now_at_database()
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {table} {judge} RETURNING number", [bulk.lines(verdicts), *times, database_value(token)])
        ours = {number for (number,) in cursor.fetchall()}
        if not ours:
            return {}
        lines = bulk.lines(line for line in verdicts if line["number"] in ours)
        tables = f"WITH {table}, {bests.shadow('number IN (SELECT number FROM verdicts)')}"  # noqa: S608 - our own words
        for part, more in ((_VERIFY.format(at=at), times), (enter, values), (_ADD_EVENTS, ()), (_RAISE_VERSIONS, ())):
            cursor.execute(f"{tables} {part}", [lines, *more])
    return {line["number"]: (line["verdict"], judged_at) for line in verdicts if line["number"] in ours}


def _scored_levels(verdicts: Sequence[Mapping[str, Any]]) -> list[int]:
    return sorted({line["level_id"] for line in verdicts if line["verdict"] in SCORED})
