"""Import of collections: stored at once, parsed in the background in batches, chosen levels copied to the library.

The row is the job (`infra.job_queue`): a worker writes each batch only while it holds the claim. After a killed worker
the next one continues behind the last batch written.
"""

import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet

from contest import visibility
from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.levels import pasted
from contest.library import packed_files, publishing, queueing
from contest.models import Intake, IntakeLevel, LibraryLevel
from contest.staff import audit_log
from contest.vetting import orders
from contest.wording.readings import pack_readings
from solvers.errors import PuzzleError
from solvers.sokoban.checks.gate import Faults, faults
from solvers.sokoban.formats import Entry, Header, Unread
from solvers.sokoban.moves import Moves
from solvers.sokoban.problems import Fault

MOST_BYTES = 10 * 1024 * 1024
MOST_LEVELS = 100_000
MOST_OF_ONE = 5  # collections of one organiser: a new one replaces the oldest
MOST_REMARKS = 100
PIECE = 200
LEASE = timedelta(seconds=60)
WORK_SECONDS = 60.0  # then the rest waits for the next wake-up, well before a task's time limit
MOST_ATTEMPTS = 3  # without progress in between

State, Standing = Intake.State, IntakeLevel.Standing


def _give_up(intake: Intake) -> dict[str, Any]:
    """Return the fields of a collection that no worker could read, keep or publish; delete what is half published."""
    if intake.state == State.READING:
        return {"state": State.FAILED, "data": b""}
    if intake.state == State.PUBLISHING:
        publishing.give_up(intake)
    IntakeLevel.objects.filter(intake=intake, is_wanted=True).update(is_wanted=False)
    return {"state": State.READ, "labels": {"given_up": intake.state}}


QUEUE = Queue(Intake, open=Q(state__in=Intake.BUSY), lease=LEASE, most_attempts=MOST_ATTEMPTS, given_up=_give_up)
# Levels whose copy in the library is a draft that nobody has changed: all that it may lack is a solution.
_UNFINISHED = Q(kept_as__state=LibraryLevel.State.DRAFT, kept_as__sha256=F("sha256")) & (
    Q(kept_as__solution="") | Q(kept_as__solution=F("solution"))
)
_ADVICE = frozenset({Fault.TEXT_EMPTY, Fault.TEXT_BAR})  # about title and author: easily fixed, no fault of the board


@transaction.atomic
def start(data: bytes, name: str, *, at: datetime, by: User, **how: str) -> Intake:
    """Store a level file or a ZIP that `packed_files.unpack` accepts; a worker parses it, read as *how* says."""
    for intake in find_replaced(by):
        stop(intake)
        intake.delete()
    return Intake.objects.create(
        name=name[:200],
        data=zlib.compress(data, 6),
        lines=packed_files.count_lines(data, MOST_BYTES),
        **how,
        brought_at=at,
        brought_by=by,
    )


def find_replaced(by: User) -> list[Intake]:
    """Return the collections of *by* that the next one replaces."""
    return list(Intake.objects.filter(brought_by=by).defer("data").order_by("-pk")[MOST_OF_ONE - 1 :])


@transaction.atomic
def stop(intake: Intake) -> None:
    """Stop reading; levels read so far can still be chosen. A collection that is not yet published is deleted."""
    row = Intake.objects.filter(pk=intake.pk)
    if row.filter(state=State.PUBLISHING).update(state=State.READ, claim_token=None):
        publishing.give_up(intake)
    row.filter(state__in=Intake.BUSY).update(state=State.STOPPED, data=b"", claim_token=None)
    IntakeLevel.objects.filter(intake=intake, is_wanted=True).update(is_wanted=False)


@transaction.atomic
def choose(
    intake: Intake,
    wanted: QuerySet[IntakeLevel],
    labels: dict[str, Any],
    *,
    by: audit_log.Actor,
    queue: dict[str, Any] | None = None,
) -> int:
    """Mark levels for the library, with *labels* for all of them; return how many. A worker copies them.

    A draft that came from here is checked again: since then the solver may have solved it. With a *queue*
    (`queueing.plan`) the levels are also queued in a series once all of them are in the library.
    """
    intake = Intake.objects.select_for_update().get(pk=intake.pk)
    if intake.is_busy:
        return 0
    count = wanted.filter(Q(kept_as=None) | _UNFINISHED).exclude(text="").update(is_wanted=True)
    if count or queue:
        all_labels = {**labels, "queue": queue} if queue else labels
        Intake.objects.filter(pk=intake.pk).update(labels=all_labels)
    if count:
        Intake.objects.filter(pk=intake.pk).update(state=State.KEEPING, claim_token=None, attempts=0)
        audit_log.record(by, "keep of collection", intake, after={"levels": count, **labels})
    elif queue:
        queueing.carry_out(intake)
    return count


def is_any_waiting() -> bool:
    """Return whether a collection waits that no worker holds."""
    return QUEUE.has_free()


def work_until_empty() -> bool:
    """Process waiting collections for at most WORK_SECONDS; return whether any is left."""
    until = time.monotonic() + WORK_SECONDS
    while time.monotonic() < until:
        claimed = QUEUE.claim()
        if claimed is None:
            return False
        work(claimed, until)
    return is_any_waiting()


def work_on(intake: Intake, seconds: float = WORK_SECONDS) -> None:
    """Process one collection in this process."""
    claimed = QUEUE.claim(Intake.objects.filter(pk=intake.pk))
    if claimed:
        work(claimed, time.monotonic() + seconds)


def work(intake: Intake, until: float) -> None:
    """Read or copy batch by batch while the claim holds and time is left; then release the claim."""
    if intake.state == State.KEEPING:
        _store_wanted(intake, until)
    elif intake.state == State.PUBLISHING:
        _publish(intake, until)
    else:
        try:
            _read(intake, until)
        except PuzzleError:  # not a text file
            _still_held(intake).update(state=State.FAILED, data=b"")
    QUEUE.close(intake)


def _still_held(intake: Intake) -> QuerySet[Intake]:
    """Return the row if this worker still holds it and nobody has stopped it."""
    return QUEUE.row_of(intake).filter(state=intake.state)


# Reading


def _read(intake: Intake, until: float) -> None:
    """Read on after the last batch written. Memory O(the file and one batch)."""
    header = Header()
    found = packed_files.levels(zlib.decompress(intake.data), MOST_BYTES, header, intake.stated)
    rest = islice(found, intake.taken, MOST_LEVELS)
    for piece in iter(lambda: list(islice(rest, PIECE)), []):
        intake.remarks = (intake.remarks + pack_readings(piece))[:MOST_REMARKS]
        if time.monotonic() > until or not _write(intake, piece):
            return
        if intake.taken >= MOST_LEVELS:
            _still_held(intake).update(state=State.STOPPED, data=b"")
            return
    named = {} if intake.name else {"name": header.name[:200]}
    remarks = pack_readings([header]) + intake.remarks
    _still_held(intake).update(state=State.READ, data=b"", at_line=intake.lines, remarks=remarks, **named)


@transaction.atomic
def _write(intake: Intake, piece: Sequence[Entry | Unread]) -> bool:
    rows = [_row(intake, intake.taken + place, entry) for place, entry in enumerate(piece, 1)]
    unread = sum(row.standing == Standing.UNREAD for row in rows)
    taken = intake.taken + len(rows)
    progress = {"taken": taken, "unread": F("unread") + unread, "at_line": piece[-1].line, "remarks": intake.remarks}
    if not QUEUE.prolong(intake, attempts=0, **progress):
        return False
    intake.taken = taken
    keys = {row.key for row in rows}
    known = _known_elsewhere(intake, keys) | _keys(IntakeLevel.objects.filter(intake=intake), keys)
    for row in rows:
        row.is_known = bool(row.key) and row.key in known
        known.add(row.key)
    IntakeLevel.objects.bulk_create(rows)
    return True


def _known_elsewhere(intake: Intake, keys: set[str]) -> set[str]:
    """Return the *keys* of levels in rounds or the library, as far as the collection's owner may know (rule 7.4)."""
    user = intake.brought_by
    return _keys(visibility.levels_known_to(user, clock.now()), keys) | _keys(visibility.levels_in_library(user), keys)


def _keys(among: QuerySet[Any], sought: set[str]) -> set[str]:
    """Return those of *sought* that are keys of levels in *among*."""
    return set(among.filter(key__in=sought - {""}).values_list("key", flat=True))


def _row(intake: Intake, place: int, entry: Entry | Unread) -> IntakeLevel:
    if isinstance(entry, Unread):
        return IntakeLevel(
            intake=intake, place=place, title=entry.title[:200], standing=Standing.UNREAD, problems=[_pack(entry.error)]
        )
    board, fields = entry.level, pasted.level_of_entry(entry)
    title, author = _line(fields.title), _line(fields.author)
    checked = faults(board, Moves.parse(fields.solution), title=title, author=author)
    return IntakeLevel(
        intake=intake,
        place=place,
        title=title,
        author=author,
        text=board.published_text,
        solution=fields.solution,
        sha256=board.sha256,
        key=board.key if len(board.players) == 1 else "",
        width=board.width,
        height=board.height,
        boxes=len(board.boxes),
        standing=standing_of(checked),
        problems=[
            [problem.code, problem.values, list(problem.cells)] for problem in (*checked.errors, *checked.warnings)
        ],
    )


def standing_of(checked: Faults) -> IntakeLevel.Standing:
    """Return what the level check means for a level of a collection."""
    errors = {problem.code for problem in checked.errors}
    warnings = {problem.code for problem in checked.warnings} - _ADVICE
    if errors - {Fault.NO_SOLUTION}:
        return Standing.FAULTY
    if errors:
        return Standing.UNSOLVED
    return Standing.WARNED if warnings else Standing.READY


def _line(text: str) -> str:
    """Return a title or author as a single line that fits the column."""
    return " ".join(text.replace("\0", "").split())[:200]


def _pack(error: PuzzleError) -> dict[str, Any]:
    values = {name: value if isinstance(value, int) else str(value) for name, value in error.values.items()}
    return {"code": error.code, "values": values, "line": error.line, "column": error.column}


# Keeping


def _store_wanted(intake: Intake, until: float) -> None:
    while time.monotonic() < until:
        piece = list(IntakeLevel.objects.filter(intake=intake, is_wanted=True).select_related("kept_as")[:PIECE])
        if not piece:
            with transaction.atomic():
                if _still_held(intake).update(state=State.READ):
                    queueing.carry_out(intake)
            return
        if not _store_batch(intake, piece):
            return


@transaction.atomic
def _store_batch(intake: Intake, piece: list[IntakeLevel]) -> bool:
    new = [row for row in piece if row.kept_as is None]
    if not QUEUE.prolong(intake, attempts=0, kept=F("kept") + len(new)):
        return False
    _finish_drafts(intake, [row for row in piece if row.kept_as])
    known = _known_elsewhere(intake, {row.key for row in new})
    at = clock.now()
    created = LibraryLevel.objects.bulk_create(list(_library_levels(intake, new, known, at)))
    for row, level in zip(new, created, strict=True):
        row.kept_as = level
    for row in piece:
        row.is_wanted = False
    IntakeLevel.objects.bulk_update(piece, ["kept_as", "is_wanted"])
    orders.queue_vettings(level.board for level in created)
    return True


def _finish_drafts(intake: Intake, rows: Sequence[IntakeLevel]) -> None:
    """Give drafts in the library the solutions of their levels; those that pass the check become ready."""
    keys = [row.kept_as.pk for row in rows if row.kept_as]
    drafts = LibraryLevel.objects.select_for_update().filter(pk__in=keys, state=LibraryLevel.State.DRAFT).order_by("pk")
    held = {level.pk: level for level in drafts}
    for row in rows:
        if row.kept_as and (level := held.get(row.kept_as.pk)):
            level.solution = row.solution
            level.state = _state(intake, row, is_known=row.is_known, title=level.title, author=level.author)
    LibraryLevel.objects.bulk_update(held.values(), ["solution", "state"])


def _state(intake: Intake, row: IntakeLevel, *, is_known: bool, title: str, author: str) -> LibraryLevel.State:
    """Return ready if the level passes the check, and its warnings are confirmed (rule 2.7); else draft."""
    has_warnings = row.standing == Standing.WARNED or is_known or not (title and author)
    is_confirmed = bool(intake.labels.get("is_confirmed"))
    passes = row.standing in (Standing.READY, Standing.WARNED) and (is_confirmed or not has_warnings)
    return LibraryLevel.State.READY if passes else LibraryLevel.State.DRAFT


def _library_levels(
    intake: Intake, piece: Iterable[IntakeLevel], known: set[str], at: datetime
) -> Iterator[LibraryLevel]:
    """Yield levels as `shelf.store_level` would save them."""
    for row in piece:
        state = _state(intake, row, is_known=row.key in known, title=row.title, author=row.author)
        known.add(row.key)
        yield LibraryLevel(
            text=row.text,
            solution=row.solution,
            title=row.title,
            author=row.author,
            tags=intake.labels.get("tags", ""),
            rights=intake.labels.get("rights", ""),
            sha256=row.sha256,
            key=row.key,
            width=row.width,
            height=row.height,
            boxes=row.boxes,
            state=state,
            added_at=at,
            added_by=intake.brought_by,
        )


# Publishing


def _publish(intake: Intake, until: float) -> None:
    while time.monotonic() < until:
        with transaction.atomic():
            if not QUEUE.prolong(intake, attempts=0):
                return
            if not publishing.copy_next(intake):
                _still_held(intake).update(state=State.READ)
                return
