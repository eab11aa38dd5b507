"""Claims of submissions: the table is the queue (docs/judging.md).

A worker claims a row by setting its token; it writes a verdict only while it still holds the token. So a killed worker
loses nothing, and a stalled one that wakes up late changes nothing.
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
from contest.infra.database.passing_trouble import will_pass
from contest.judging import record
from contest.models import State, Submission
from contest.models.submission import IN_TURN

log = logging.getLogger(__name__)

BATCH = 200
# In microseconds, as submissions say what they cost: what a batch may take before its last text.
BATCH_COST = 250_000
LEASE = timedelta(seconds=settings.JUDGE_LEASE_SECONDS)
MAX_ATTEMPTS = 3
# Claims that this process could not even give back, while the database took nothing, and which of them it has forgiven.
_owed: list[tuple[Sequence[Submission], Sequence[Submission]]] = []


def has_waiting() -> bool:
    """Return whether a row waits that no worker holds."""
    at = clock.now_at_database()
    is_free = Q(state=State.QUEUED) | Q(lease_until__lte=at) | Q(lease_until__gt=at + _BEYOND)
    return Submission.objects.waiting().filter(is_free).exists()


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
_READ = "number, cost, round_id, player_id, slot_named, text, reader, received_at, turn_at, attempts, claim_token"


def claim(limit: int, among: QuerySet[Submission] | None = None) -> list[Submission]:
    """Claim rows that nobody holds, those first whose turn comes first; of *among* alone, if given.

    One statement chooses, takes and reads them: each further one would delay every verdict.
    """
    _give_back_what_is_owed()
    # By the clock that all workers share: one whose own runs ahead would rob the others.
    token, at, end, beyond = uuid.uuid4(), *map(clock.sql_at_database, (timedelta(0), LEASE, _BEYOND))
    chosen, parameters = ("", ()) if among is None else among.order_by().values("pk").query.sql_with_params()
    # No need to wait for the disk: a claim that a crash forgets is made again. (An import commits more than this.)
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
            give_back(*owed)
        except Exception:
            _owed.append(owed)
            raise


def give_back(rows: Sequence[Submission], forgiven: Sequence[Submission]) -> None:
    """Undo a claim: what this process still holds waits again, and of no row does the attempt count, whoever has it."""
    if rows:
        counted = [row.pk for row in rows if row not in forgiven]
        open_rows = Submission.objects.filter(pk__in=counted, state__in=[State.QUEUED, State.RUNNING])
        with transaction.atomic():
            open_rows.update(attempts=Greatest(F("attempts") - 1, 0))
            return_to_queue(rows)


def return_to_queue(rows: Sequence[Submission]) -> None:
    still_held(rows).update(state=State.QUEUED, claim_token=None, lease_until=None)


def still_held(rows: Sequence[Submission]) -> QuerySet[Submission]:
    """Those of *rows*, one claim's, that this process still holds."""
    return Submission.objects.filter(
        pk__in=[row.pk for row in rows], claim_token=rows[0].claim_token, state=State.RUNNING
    )
