"""The receipt chain (rule 24.2): every submission the site has received, hash-chained in order to all before it.

A copy of a link and its number later proves that nothing up to it was changed, removed or inserted: the archives list
the leaves, from which anyone can compute every link again, and disclose the public ones. The link of a round's opening
precedes its first submission, and that of its closing (`closings`) follows its last one. Until the first such opening,
links are in the older format. Sealed answers are bound as soon as they are seen (rule 5.12), in no order with
submissions: gaps do not delay them.

The judging side appends links in batches, by submission number and regardless of verdict. A number may be missing:
either its transaction is still running, and the chain must wait for it, or the transaction was rolled back, and the
chain must go on. The two cases are told apart reliably:

- SQLite has one writing transaction at a time, and a rollback frees its number again. Every gap seen there is final.
- On PostgreSQL, a missing number was drawn before the higher number that is visible, by a transaction that already had
  a transaction ID: it locks or creates its player first (`submissions.store`). On finding a gap, draw a new transaction
  ID and store it (ChainGap.horizon). Once no transaction with a smaller ID is running (`pg_snapshot_xmin`), no missing
  number below the higher one can still appear.

Imported submissions are left out: this site did not receive them, and their own archive vouches for them.
"""

import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet

from contest import visibility
from contest.infra import clock
from contest.infra.database import bulk_statements as bulk
from contest.judging import closings, leaves
from contest.models import ChainGap, ChainLink, Round, SealedAnswer, Submission, TreeNode
from contest.rules import canonical, merkle
from contest.rules.merkle import WIDTH
from contest.rules.phases import SETTLED
from contest.visibility import Viewer

BATCH = 1_000
_COLUMNS = (
    "position", "submission", "round", "sealed_answer", "closing_of", "closes_at", "nonce", "leaf", "link", "document",
)  # fmt: skip
_A_MOMENT = 0.2  # seconds: longer than a transaction that draws a number takes
_AT_ONCE = 200  # links that one statement inserts
_CHAIN_LOCK = 24_200  # any number, the same in all processes
_HEIGHT = WIDTH.bit_length() - 1


def newest() -> ChainLink | None:
    """Return the newest link; it may be published at any time with its submission's number."""
    return ChainLink.objects.order_by("-position").first()


def append_all() -> int:
    """Append every link that can be appended now; return the count. Idempotent: safe to call at any time.

    What arrives meanwhile is left to the next call: under load, each further look would find a few more.
    """
    appended = count = append()
    while count >= BATCH:
        appended += (count := append())
    return appended + append_closings()


def append_closings() -> int:
    """Append the closings that are due (rule 24.2); return their number. Idempotent."""
    at = clock.now()
    if not closings.due_rounds(at).exists():
        return 0
    with transaction.atomic():
        return _add_closings(at) if _is_ours() else 0


def bind_times(round_: Round) -> None:
    """Append the opening and the closings of *round_* that no worker has bound yet, before its archive is read."""
    at = clock.now()
    unbound = _unbound_rounds(at) | closings.due_rounds(at).order_by()
    if not unbound.filter(pk=round_.pk).exists():
        return
    with transaction.atomic():
        if connection.vendor == "postgresql":
            _ask("SELECT 1 FROM (SELECT pg_advisory_xact_lock(%s)) AS lock", _CHAIN_LOCK)
        add([])
        _add_closings(at)


def keep_up() -> None:
    """Append all links in a worker's periodic run; if a number is missing, retry shortly, when few still are."""
    append_all()
    if ChainGap.objects.filter(number__gt=_last_number()).exists():
        time.sleep(_A_MOMENT)
        append_all()


def note_complete(at: datetime) -> None:
    """Mark rounds whose entries are all judged and chained, so that no page checks them again (rule 24.1)."""
    visibility.archived_rounds(Viewer(), at - SETTLED).exclude(visibility.COMPLETE).update(complete_at=at)


def is_behind(at: datetime) -> bool:
    """Return True if something that was received long enough before *at* is not in the chain yet."""
    waiting = _received_after(_last_number()).filter(received_at__lte=at - SETTLED)
    return waiting.exists() or _unbound_answers().filter(received_at__lte=at - SETTLED).exists()


def append(limit: int = BATCH) -> int:
    """Append up to *limit* submissions, and openings; return the number of links. 0 if nothing is new, all wait, or
    another process is appending."""
    waiting = _received_after(_last_number()), _unbound_rounds(clock.now()), _unbound_answers()
    if not any(rows.exists() for rows in waiting):
        return 0  # an idle poll costs some reads, but no write transaction
    with transaction.atomic():
        if not _is_ours():
            return 0
        last = _last_number()
        # Before the rows are read: a number that arrives in between is then among them, not mistaken for a gap.
        final_below = _final_below()
        rows = list(_received_after(last).order_by("number")[:limit])
        answers = _unbound_answers()[:limit]
        return len(add(_before_gap(last, rows, final_below), answers))


def add(rows: Iterable[Any], answers: Iterable[SealedAnswer] = ()) -> list[ChainLink]:
    """Append the due openings, sealed *answers* and *rows* (of `_received_after`), in this order.

    The caller's transaction must be the only one appending.
    """
    rows, answers, last = list(rows), list(answers), newest()
    rounds = {row.round_id for row in rows if not row.is_practice} | {one.level.round_id for one in answers}
    openings, has_leaves = _openings(rounds), ChainLink.objects.exclude(round=None).exists()
    links = []
    for round_ in openings:
        document = leaves.opening(round_)
        leaf = canonical.opening_leaf(document)
        last = _after(last, ChainLink(round=round_, leaf=leaf, document=canonical.json_line(document)))
        links.append(last)
    for answer in answers:
        last = _after(last, ChainLink(sealed_answer=answer, leaf=leaves.sealed_leaf(answer)))
        links.append(last)
    for row in rows:
        last = _after(last, leaves.entry_link(row)) if has_leaves or openings else _after_without_leaf(last, row)
        links.append(last)
    _store(links)
    return links


def _add_closings(at: datetime) -> int:
    """Append the closings that are due, in a transaction that alone may append; return their number."""
    last, count = newest(), 0
    while last:
        size = last.position + 1
        closing = closings.next_closing(at, size, tree_root(size).hex(), last.link)
        if closing is None:
            break
        last, count = _after(last, closing), count + 1
        _store([last])
    return count


def _store(links: Sequence[ChainLink]) -> None:
    for first in range(0, len(links), _AT_ONCE):
        some = links[first : first + _AT_ONCE]
        if len(bulk.insert(some, _COLUMNS)) < len(some):
            raise IntegrityError("Somebody else has appended to the receipt chain.")
    grow_tree(links)


def _openings(entered: Iterable[int]) -> Iterable[Round]:
    """Return the rounds whose openings must be bound now: opened here, or *entered* by a submission."""
    at = clock.now()
    unbound = Q(pk__in=_unbound_rounds(at).values("pk")) | Q(pk__in=entered, archive_format__gte=2, opening_link=None)
    return Round.objects.filter(unbound).order_by("opens_at", "pk")


def _after(last: ChainLink | None, new: ChainLink) -> ChainLink:
    """Link *new*, which has its leaf, after *last*: set its position and link."""
    previous, new.position = _next_place(last)
    new.link = canonical.bind(previous, new.leaf)
    return new


def _after_without_leaf(last: ChainLink | None, row: Any) -> ChainLink:
    """Return a link in the older format for a submission; the link is its own leaf."""
    previous, position = _next_place(last)
    link = canonical.link(previous, row.number, str(canonical.instant(row.received_at)), row.sha256)
    return ChainLink(submission_id=row.number, position=position, link=link, leaf=link)


def _next_place(last: ChainLink | None) -> tuple[str, int]:
    """Return the previous link and the next position."""
    return (last.link, last.position + 1) if last else (canonical.START, 0)


def _unbound_rounds(at: datetime) -> QuerySet[Round]:
    """Return rounds that have opened here but are not bound yet."""
    opened = visibility.opened_rounds(Viewer(), at)
    return opened.filter(archive_format__gte=2, is_imported=False, opening_link=None)


def _unbound_answers() -> QuerySet[SealedAnswer]:
    """Return sealed answers that are not bound yet, the earliest first."""
    unbound = SealedAnswer.objects.filter(chain_link=None).select_related("level__round", "sent_as")
    return unbound.order_by("number")


def _received_after(last: int) -> QuerySet[Submission, Any]:
    """Return the bound columns of submissions after *last*, as plain tuples: there may be hundreds a second."""
    received = Submission.objects.filter(is_imported=False, number__gt=last)
    return received.values_list(*leaves.BOUND, named=True)


def _last_number() -> int:
    """Return the number of the last bound submission, or 0."""
    bound = ChainLink.objects.exclude(submission=None)
    return bound.order_by("-submission_id").values_list("submission_id", flat=True).first() or 0


def _is_ours() -> bool:
    """Return True if this transaction may append. On SQLite every writing transaction is alone already."""
    if connection.vendor != "postgresql":
        return True
    return bool(_ask("SELECT pg_try_advisory_xact_lock(%s)", _CHAIN_LOCK))


def _final_below() -> int:
    """Return the number below which every gap is known to be final."""
    gap = ChainGap.objects.order_by("pk").first()
    oldest_under_way = int(_ask("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")) if gap else 0
    return gap.number if gap and oldest_under_way >= gap.horizon else 0


def _before_gap(last: int, rows: list[Any], final_below: int) -> list[Any]:
    """Return those of *rows* below which no number can still appear; others wait until their gap is final."""
    if connection.vendor != "postgresql" or not rows:
        return rows
    first, highest = max(last + 1, final_below), rows[-1].number
    used = {row.number for row in rows}
    if sum(number >= first for number in used) <= highest - first:  # not all of them, with the highest
        imported = Submission.objects.filter(is_imported=True, number__range=(first, highest))
        used.update(imported.values_list("pk", flat=True))
    missing = next((number for number in range(first, highest) if number not in used), None)
    if missing is None:
        return rows
    _remember_gap(missing, highest)
    return [row for row in rows if row.number < missing]


def _remember_gap(missing: int, highest: int) -> None:
    """Store the gap that the chain waits for, unless a stored one is still valid."""
    horizon = int(_ask("SELECT pg_current_xact_id()::text"))
    # Restored into another database, transaction IDs start over: an old horizon would never be reached.
    if not ChainGap.objects.filter(number__gt=missing, horizon__lt=horizon).exists():
        ChainGap.objects.all().delete()
        ChainGap.objects.create(number=highest, horizon=horizon)


def _ask(sql: str, *values: int) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchone()[0]


# The Merkle tree over the leaves (rule 24.2), with roots and proofs in few reads. The hashes of full subtrees of 256
# leaves, 256 of those and so on are stored as rows (TreeNode), because they never change. A proof reads these and, at
# its ends, 256 leaves at once.


def grow_tree(links: Sequence[ChainLink]) -> None:
    """Store the hashes of the subtrees completed by *links*, which were just appended."""
    if not links:
        return
    before, count, level = links[0].position, links[-1].position + 1, 1
    while count // WIDTH > before // WIDTH:
        first, before, count = before // WIDTH, before // WIDTH, count // WIDTH
        TreeNode.objects.bulk_create(
            TreeNode(level=level, index=index, sha256=merkle.root(hashes_below(level, index)).hex())
            for index in range(first, count)
        )
        level += 1


def tree_root(size: int) -> bytes:
    """Return the root over the first *size* leaves."""
    return merkle.range_root(_reader(), 0, size)


def tree_peaks(size: int) -> list[bytes]:
    """Return the hashes of the full subtrees that make up the tree of *size* leaves, the largest first."""
    node, start, found = _reader(), 0, []
    for part in merkle.sizes(size):
        found.append(node(part.bit_length() - 1, start // part))
        start += part
    return found


def inclusion(position: int, size: int) -> list[bytes]:
    """Return the proof that the leaf at *position* is in the tree of *size* leaves."""
    return merkle.inclusion(_reader(), position, size)


def consistency(old: int, size: int) -> list[bytes]:
    """Return the proof that the tree of *old* leaves is a prefix of the tree of *size* leaves."""
    return merkle.consistency(_reader(), old, size)


def _reader() -> merkle.Node:
    """Return a reader of tree nodes that reads each block of the table once."""
    blocks = cache(hashes_below)

    def node(height: int, index: int) -> bytes:
        level, above = divmod(height, _HEIGHT)
        start = index << above
        block = blocks(level + 1, start // WIDTH)[start % WIDTH :][: 1 << above]
        return merkle.root(block)

    return node


def hashes_below(level: int, index: int) -> list[bytes]:
    """Return the existing hashes below node *index* of a level; those of the leaves if *level* is 1."""
    span = (index * WIDTH, (index + 1) * WIDTH - 1)
    if level == 1:
        leaves = ChainLink.objects.filter(position__range=span).order_by("position").values_list("leaf", flat=True)
        return [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in leaves]
    nodes = TreeNode.objects.filter(level=level - 1, index__range=span).order_by("index")
    return [bytes.fromhex(sha256) for sha256 in nodes.values_list("sha256", flat=True)]
