"""The receipt chain (rule 24.2): every submission the site has received, bound in order to all before it.

Whoever keeps a link with its number can later prove that nothing up to it was changed, removed or slipped in: the
archives list the numbers, times and hashes from which anybody computes every link again.

The links are appended in batches by the judging side, in order of the submissions' numbers and whatever their verdicts.
A number may be missing. Either the transaction that drew it is still under way, and the chain must wait for it, or it
was rolled back and never will be used, and the chain must go on. Which of the two is known without guessing:

- SQLite lets one transaction write at a time, and takes a number back with the transaction that drew it. Who sees a
  gap sees it final.
- On PostgreSQL, a transaction that drew a missing number did so before the higher number that is there was drawn, and
  had a transaction id by then: it locks or makes its player first (`submissions.store`). So who sees a gap draws an
  id of its own and writes it down (ChainGap.horizon). Once no transaction with a smaller id is under way
  (`pg_snapshot_xmin`), no number missing below that higher one can still come.

What was imported is left out: this site has not received it, and its own archive vouches for it.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from contest import visibility
from contest.models import ChainGap, ChainLink, Submission
from contest.rules import canonical
from contest.visibility import Viewer

BATCH = 1_000
# After this long nothing that came in time can still be on its way to its row.
SETTLED = timedelta(minutes=2)
_CHAIN_LOCK = 24_200  # any number, the same in all processes


def newest() -> ChainLink | None:
    """The newest link; it is public at any time with its submission's number."""
    return ChainLink.objects.order_by("-submission_id").first()


def append_all() -> int:
    """Append every link that can be appended; return how many. Safe to call at any time, any number of times."""
    appended = 0
    while count := append():
        appended += count
    return appended


def note_complete(at: datetime) -> None:
    """Remember of which rounds everything entered is judged and chained: no page counts it again (rule 24.1)."""
    visibility.archived_rounds(Viewer(), at - SETTLED).exclude(visibility.COMPLETE).update(complete_at=at)


def append(limit: int = BATCH) -> int:
    """Append up to *limit* links and return how many; 0 if nothing is new, all wait, or somebody else is at it."""
    if not _received_after(newest()).exists():  # an idle sweep costs two reads, no write transaction
        return 0
    with transaction.atomic():
        if not _is_ours():
            return 0
        last = newest()
        # Before the rows are read: a number that comes in between is then among them, and not taken for a gap.
        final_below = _final_below()
        rows = list(_received_after(last).order_by("number")[:limit])
        links = _links(last, _before_gap(last, rows, final_below))
        ChainLink.objects.bulk_create(links)
    return len(links)


def _received_after(last: ChainLink | None) -> QuerySet[Submission]:
    received = Submission.objects.filter(is_imported=False).only("number", "received_at", "sha256")
    return received.filter(number__gt=last.pk) if last else received


def _is_ours() -> bool:
    """Whether this transaction is the one that appends. On SQLite every writing transaction is alone already."""
    if connection.vendor != "postgresql":
        return True
    return bool(_asked("SELECT pg_try_advisory_xact_lock(%s)", _CHAIN_LOCK))


def _final_below() -> int:
    """Below which number every gap is known to be final."""
    gap = ChainGap.objects.first()
    oldest_under_way = int(_asked("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")) if gap else 0
    return gap.number if gap and oldest_under_way >= gap.horizon else 0


def _before_gap(last: ChainLink | None, rows: list[Submission], final_below: int) -> list[Submission]:
    """Those of *rows* below which no number can still come; the others wait, until the gap below them is final."""
    if connection.vendor != "postgresql" or not rows:
        return rows
    first, highest = max(last.pk + 1 if last else 1, final_below), rows[-1].pk
    imported = Submission.objects.filter(is_imported=True, number__range=(first, highest)).values_list("pk", flat=True)
    used = {row.pk for row in rows}.union(imported)
    missing = next((number for number in range(first, highest) if number not in used), None)
    if missing is None:
        return rows
    _remember_gap(missing, highest)
    return [row for row in rows if row.pk < missing]


def _remember_gap(missing: int, highest: int) -> None:
    """Write down the gap that the chain waits for, unless one is written down already and still holds."""
    horizon = int(_asked("SELECT pg_current_xact_id()::text"))
    # In a database that was restored elsewhere, ids begin anew: a horizon from before would never be reached.
    if not ChainGap.objects.filter(number__gt=missing, horizon__lt=horizon).exists():
        ChainGap.objects.all().delete()
        ChainGap.objects.create(number=highest, horizon=horizon)


def _asked(sql: str, *values: int) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchone()[0]


def _links(last: ChainLink | None, rows: list[Submission]) -> list[ChainLink]:
    links, previous = [], last.link if last else canonical.START
    for row in rows:
        previous = canonical.link(previous, row.number, str(canonical.instant(row.received_at)), row.sha256)
        links.append(ChainLink(submission=row, link=previous))
    return links
