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

from contest.archive.imports import csv_import, importer
from contest.archive.imports.incoming import Incoming, NotImported, read_archive
from contest.infra.job_queue import Queue
from contest.models import RoundImport

TABLE = "rounds.csv"
MOST_OF_ONE = 5  # imports of one organiser that are kept
LEASE = timedelta(minutes=5)  # reading large files reports no progress
MOST_ATTEMPTS = 3
_KEPT_FOR = timedelta(days=7)

State = RoundImport.State
_BUSY = (State.CHECKING, State.STORING, State.RATING)
QUEUE = Queue(
    RoundImport,
    open=Q(state__in=_BUSY),
    lease=LEASE,
    most_attempts=MOST_ATTEMPTS,
    given_up={"state": State.FAILED, "data": b""},
)


class _Stopped(Exception):
    """The claim is lost: the job was stopped, or another worker has it."""


@transaction.atomic
def start(files: Mapping[str, bytes], *, at: datetime, by: User) -> RoundImport:
    """Store the *files*, by name; a worker checks them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    old = RoundImport.objects.filter(asked_by=by).exclude(state__in=_BUSY).order_by("-pk").values("pk")
    RoundImport.objects.filter(pk__in=[row["pk"] for row in old[MOST_OF_ONE - 1 :]]).delete()
    return RoundImport.objects.create(data=packed.getvalue(), language=get_language() or "en", asked_at=at, asked_by=by)


def confirm(job: RoundImport, by: User) -> bool:
    """Have a worker import the checked rounds; return False if they are not ready for that."""
    ready = RoundImport.objects.filter(pk=job.pk, state=State.CHECKED, faults=[])
    return bool(ready.update(state=State.STORING, done=0, attempts=0, asked_by=by))


def stop(job: RoundImport) -> None:
    """End the job. Rounds that are imported remain, and are rated."""
    row = RoundImport.objects.filter(pk=job.pk)
    row.filter(state__in=(State.CHECKING, State.CHECKED)).delete()
    row.filter(state=State.STORING).update(state=State.RATING, claim_token=None)


def forget_old(at: datetime) -> None:
    """Delete imports that were begun long ago, with their files."""
    RoundImport.objects.filter(asked_at__lt=at - _KEPT_FOR).exclude(state__in=_BUSY).delete()


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
                    importer.store(incoming, by=job.asked_by, rates=False)
                    _write(job, done=job.done + 1, attempts=0)
            except NotImported as error:  # another organiser was faster
                _write(job, faults=list(error.faults))
                break
            between()
    _write(job, state=State.RATING)


def _rate(job: RoundImport, between: Callable[[], None]) -> None:
    for _step in importer.rate(row["number"] for row in job.rounds[: job.done]):
        _write(job)
        between()
    _write(job, state=State.DONE, data=b"")


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
            (folder / member).write_bytes(archive.read(member))
        yield sorted(path for path in folder.iterdir() if path.suffix == ".zip" or path.name == TABLE)


def _read(path: Path, *, is_verified: bool = False) -> list[Incoming]:
    return csv_import.read(path) if path.name == TABLE else [read_archive(path, is_verified=is_verified)]
