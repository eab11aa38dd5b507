"""Claims on submissions: the table is the queue (docs/explanation/judging.md).

A worker claims a row by setting its token, and writes a verdict only while it still holds that token. So a killed
worker loses nothing, and a stalled worker that resumes late changes nothing.
"""

import logging
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest

from contest.infra import clock
from contest.infra.database.passing_trouble import is_temporary
from contest.judging import record
from contest.models import State, Submission
from contest.models.submission import IN_TURN

log = logging.getLogger(__name__)

# Each batch has a fixed cost of some milliseconds (planning, the wait for the disk), so fewer rows drain more slowly.
BATCH = 400
# Microseconds, as in `Submission.cost`: the costs of a batch without its last text stay below this.
BATCH_COST = 250_000
LEASE = timedelta(seconds=settings.JUDGE_LEASE_SECONDS)
MAX_ATTEMPTS = 3
# Claims that could not be returned because the database failed, each with the rows whose attempt is already forgiven.
_owed: list[tuple[Sequence[Submission], Sequence[Submission]]] = []


def has_waiting() -> bool:
    """Return True if a row waits that no worker holds."""
    at = clock.now_at_database()
    is_free = Q(state=State.QUEUED) | Q(lease_until__lte=at) | Q(lease_until__gt=at + _BEYOND)
    return Submission.objects.waiting().filter(is_free).exists()


# No lease is that long, so the clock must have been set back, and the row would wait until it catches up. Twice the
# lease, because a concurrent claimer may have read the clock slightly later.
_BEYOND = 2 * LEASE
# A row whose worker died is claimed alone: if it kills workers, it affects no other row. Costly texts make small
# batches, so that the next submission need not wait for all of them. The state conditions repeat those of the partial
# index, so that every query plan can use it.
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
_READ = "number, cost, round_id, player_id, slot_named, text, reader, received_at, turn_at, attempts, claim_token"


def claim(limit: int, among: QuerySet[Submission] | None = None) -> list[Submission]:
    """Claim unheld rows in the order of their turns, optionally only those in *among*.

    One statement selects, claims and reads them: every further one would delay each verdict.
    """
    _give_back_what_is_owed()
    # Use the shared database clock: a worker whose own clock runs ahead would steal others' leases.
    token, at, end, beyond = uuid.uuid4(), *map(clock.sql_at_database, (timedelta(0), LEASE, _BEYOND))
    chosen, parameters = ("", ()) if among is None else among.order_by().values("pk").query.sql_with_params()
    # A claim lost in a crash is repeated, so do not wait for the disk. (An import commits more than the claim.)
    waits_for_no_disk = connection.vendor == "postgresql" and not connection.in_atomic_block
    sql = _CLAIM.format(
        at=at[0],
        end=end[0],
        beyond=beyond[0],
        among=f"AND number IN ({chosen})" if chosen else "",
        turn=", ".join(IN_TURN),
        limit=limit,
        lock="FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else "",
        cost=BATCH_COST,
        read=_READ,
        commit="set_config('synchronous_commit', 'off', true)" if waits_for_no_disk else "''",
    )
    values = [record.database_value(token), *end[1], *at[1], *beyond[1], *parameters]
    claimed = sorted(Submission.objects.raw(sql, values), key=lambda row: (row.turn_at, row.pk))
    spent = [row for row in claimed if row.attempts > MAX_ATTEMPTS]
    if spent:
        with given_back_in_trouble(claimed):
            _quarantine(spent)
    kept = [row for row in claimed if row.attempts <= MAX_ATTEMPTS]
    return kept or (claim(limit, among) if spent else [])


def _quarantine(rows: Sequence[Submission]) -> None:
    numbers = [row.pk for row in rows]
    log.error("Waiting for an organiser after %d attempts: submissions %s", MAX_ATTEMPTS, numbers)
    still_held(rows).update(state=State.QUARANTINED, claim_token=None, lease_until=None, attempts=F("attempts") - 1)


@contextmanager
def given_back_in_trouble(
    claimed: Sequence[Submission], but: Sequence[Submission] = (), forgiven: Sequence[Submission] = ()
) -> Iterator[None]:
    """If the database fails inside, return the *claimed* rows to the queue, now or before this process's next claim.

    The attempts of rows in *but* count. Changes in a caller's transaction are rolled back with it.
    """
    try:
        yield
    except Exception as error:
        if is_temporary(error) and not connection.in_atomic_block:
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
        except IndexError:  # it was empty, or the recorder thread has just taken the last one
            return
        try:
            give_back(*owed)
        except Exception:
            _owed.append(owed)
            raise


def give_back(rows: Sequence[Submission], forgiven: Sequence[Submission]) -> None:
    """Undo a claim: rows still held by this process are queued again; all rows but *forgiven* get the attempt back."""
    if rows:
        counted = [row.pk for row in rows if row not in forgiven]
        open_rows = Submission.objects.filter(pk__in=counted, state__in=[State.QUEUED, State.RUNNING])
        with transaction.atomic():
            open_rows.update(attempts=Greatest(F("attempts") - 1, 0))
            return_to_queue(rows)


def return_to_queue(rows: Sequence[Submission]) -> None:
    still_held(rows).update(state=State.QUEUED, claim_token=None, lease_until=None)


def still_held(rows: Sequence[Submission]) -> QuerySet[Submission]:
    """Return those of *rows*, all from one claim, that this process still holds."""
    return Submission.objects.filter(
        pk__in=[row.pk for row in rows], claim_token=rows[0].claim_token, state=State.RUNNING
    )
