"""Imports from the desk as jobs of a worker: first the check of all files, then one short transaction a round.

The row is the job (`infra.job_queue`). A round is stored with the row's progress, so after a killed worker the next one
continues with the first round that is not stored.
"""

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from contest.archive.imports import csv_import, guide, importer, undo
from contest.archive.imports.incoming import Incoming, NotImported, read_archive
from contest.infra.database import planner
from contest.infra.job_queue import Queue
from contest.models import ImportDraft, RoundImport

TABLE = "rounds.csv"
MOST_OF_ONE = 5  # imports of one organiser that are kept
LEASE = timedelta(minutes=5)  # reading large files reports no progress
MOST_ATTEMPTS = 3
_KEPT_FOR = timedelta(days=7)
DRAFTS_KEPT_FOR = timedelta(days=90)  # after their last change

State = RoundImport.State
_BUSY = (State.CHECKING, State.STORING, State.RATING, State.UNDOING)
_KEPT = (*_BUSY, State.DONE, State.UNDONE)  # a report has no names of players, and an import can be undone


def _give_up(job: RoundImport) -> dict[str, object]:
    """Return the fields of a job that no worker could end. The rounds that it brought can still be removed."""
    if job.state != State.UNDOING:
        done = 0 if job.state == State.CHECKING else job.done
        return {"state": State.FAILED, "data": b"", "done": done}
    left = undo.brought_rounds(job).count()
    with override(job.language):
        faults = [_("The undo was begun several times and did not end. Undo the import again.")]
    return {"state": State.DONE, "faults": faults, "done": left, "total": left}


QUEUE = Queue(RoundImport, open=Q(state__in=_BUSY), lease=LEASE, most_attempts=MOST_ATTEMPTS, given_up=_give_up)


class _Stopped(Exception):
    """The claim is lost: the job was stopped, or another worker has it."""


@transaction.atomic
def start(files: Mapping[str, bytes], *, at: datetime, by: User) -> RoundImport:
    """Store the *files*, by name; a worker checks them."""
    data = guide.pack(files)
    old = RoundImport.objects.filter(asked_by=by).exclude(state__in=_KEPT).order_by("-pk").values("pk")
    RoundImport.objects.filter(pk__in=[row["pk"] for row in old[MOST_OF_ONE - 1 :]]).delete()
    return RoundImport.objects.create(data=data, language=get_language() or "en", asked_at=at, asked_by=by)


def confirm(job: RoundImport, by: User) -> bool:
    """Have a worker import the checked rounds; return False if they are not ready for that."""
    ready = RoundImport.objects.filter(pk=job.pk, state=State.CHECKED, faults=[])
    return bool(ready.update(state=State.STORING, done=0, attempts=0, asked_by=by))


def undo_import(job: RoundImport, by: User) -> list[str]:
    """Have a worker remove what *job* brought; return why that is impossible."""
    if reasons := undo.reasons(job):  # a worker looks again, in the transaction of each removal
        return reasons
    ended = RoundImport.objects.filter(pk=job.pk, state__in=(State.DONE, State.FAILED))
    total = undo.brought_rounds(job).count()
    ended.update(state=State.UNDOING, done=0, total=total, attempts=0, asked_by=by, faults=[])
    return []


def stop(job: RoundImport) -> None:
    """End the job. Rounds that are imported remain, and are rated."""
    row = RoundImport.objects.filter(pk=job.pk)
    row.filter(state__in=(State.CHECKING, State.CHECKED)).delete()
    row.filter(state=State.STORING).update(state=State.RATING, claim_token=None)


def forget_old(at: datetime) -> None:
    """Delete drafts and imports that were given up long ago, with their files."""
    RoundImport.objects.filter(asked_at__lt=at - _KEPT_FOR).exclude(state__in=_KEPT).delete()
    ImportDraft.objects.filter(changed_at__lt=at - DRAFTS_KEPT_FOR).delete()


def is_any_waiting() -> bool:
    """Return whether an import waits that no worker holds."""
    return QUEUE.has_free()


def work_until_empty(between: Callable[[], None] = lambda: None) -> None:
    """Process the waiting imports; call *between* after each round."""
    while claimed := QUEUE.claim():
        work(claimed, between)


def work_on(job: RoundImport) -> None:
    """Process one import in this process."""
    if claimed := QUEUE.claim(RoundImport.objects.filter(pk=job.pk)):
        work(claimed)


def work(job: RoundImport, between: Callable[[], None] = lambda: None) -> None:
    """Do all that the state of *job* asks for."""
    with override(job.language):
        try:
            if job.state == State.CHECKING:
                _check(job, between)
            elif job.state == State.STORING:
                _store(job, between)
            elif job.state == State.UNDOING:
                _undo(job, between)
            if job.state == State.RATING:
                _rate(job, between)
        except _Stopped:
            return
    QUEUE.close(job)


def _check(job: RoundImport, between: Callable[[], None]) -> None:
    """Store what an import would do, or every fault of all files."""
    preview = importer.Preview()
    job.faults, job.rounds = [], []
    with _unpacked(job) as paths:
        for path in paths:
            try:
                rounds = _read(path)
                job.total += len(rounds)
                job.rounds += [asdict(row) for row in preview.look_at(_counted(job, rounds, between))]
            except NotImported as error:
                job.faults += error.faults
    ended = {"state": State.FAILED, "data": b""} if job.faults else {"state": State.CHECKED}
    _write(job, **ended, faults=job.faults, rounds=job.rounds, total=len(job.rounds), done=0)


def _counted(job: RoundImport, rounds: Iterable[Incoming], between: Callable[[], None]) -> Iterator[Incoming]:
    for incoming in rounds:
        yield incoming
        between()
        _write(job, done=job.done + 1, total=job.total)


def _store(job: RoundImport, between: Callable[[], None]) -> None:
    """Import the rounds after the last one stored."""
    with _unpacked(job) as paths:
        rounds = [incoming for path in paths for incoming in _read(path, is_verified=True)]
        for incoming in rounds[job.done :]:
            try:
                with transaction.atomic():
                    importer.store(incoming, by=job.asked_by, rates=False, job=job.pk)
                    _write(job, done=job.done + 1, attempts=0)
            except NotImported as error:  # another organiser was faster
                _write(job, faults=list(error.faults))
                break
            between()
    planner.analyze()
    _write(job, state=State.RATING)


def _rate(job: RoundImport, between: Callable[[], None]) -> None:
    for _step in importer.rate(row["number"] for row in job.rounds[: job.done]):
        _write(job)
        between()
    # The report is kept without names: players may be renamed or erased (rule 15.6).
    names = ("new_players", "known_players")
    rounds = [{**row, **{name: len(row[name]) for name in names}} for row in job.rounds]
    _write(job, state=State.DONE, data=b"", rounds=rounds)


def _undo(job: RoundImport, between: Callable[[], None]) -> None:
    """Remove the rounds, the newest first, and then the players; something that rests on one ends that."""
    try:
        is_left = True
        while is_left:
            with transaction.atomic():
                count = undo.remove_rounds(job)
                _write(job, done=job.done + count, attempts=0)
            is_left = count > 0
            between()
        undo.remove_players(job)
        ended: dict[str, object] = {"state": State.UNDONE}
    except undo.NotUndone as error:
        left = undo.brought_rounds(job).count()
        ended = {"state": State.DONE, "faults": list(error.reasons), "done": left, "total": left}
    for _step in undo.rate_again(job):
        _write(job)
        between()
    _write(job, **ended)


def _write(job: RoundImport, **fields: object) -> None:
    """Write *fields* while the claim holds; raise _Stopped otherwise."""
    if not QUEUE.prolong(job, **fields):
        raise _Stopped
    for name, value in fields.items():
        setattr(job, name, value)


@contextmanager
def _unpacked(job: RoundImport) -> Iterator[list[Path]]:
    """Write the files into a folder, and yield the paths that name rounds."""
    with TemporaryDirectory() as name, zipfile.ZipFile(io.BytesIO(job.data)) as archive:
        folder = Path(name)
        for member in archive.namelist():
            path = folder / member
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(archive.read(member))
        guided = folder / guide.CHOICES
        rounds = sorted(path for path in folder.iterdir() if path.suffix == ".zip" or path.name == TABLE)
        yield [guided] if guided.is_file() else rounds


def _read(path: Path, *, is_verified: bool = False) -> list[Incoming]:
    if path.name == guide.CHOICES:
        return guide.read(path.parent)
    return csv_import.read(path) if path.name == TABLE else [read_archive(path, is_verified=is_verified)]
