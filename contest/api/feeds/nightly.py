"""Nightly dumps of all public lists in compressed files, which are deleted after some nights (docs/reference/api.md).

They contain what anybody could read at that moment. If something is no longer public later, such as an erased player's
name, every dump begun before is withdrawn: `visibility.dumps` stops offering it at once, and the next run deletes it
and makes the dump of the night again.
"""

import hashlib
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta

from celery import shared_task
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils.translation import override

from contest import visibility
from contest.api.feeds import lines
from contest.api.feeds.lines import Line
from contest.api.serializers.rounds import ArchiveSerializer
from contest.infra import clock, identity
from contest.models import Dump, DumpFile, DumpPiece
from contest.visibility import Viewer

SOLUTIONS = "solutions.ndjson.gz"
_BEGINS = timedelta(hours=3)  # local time of the site
_GIVEN_UP_AFTER = timedelta(hours=2)  # the process of a dump that takes this long was killed
_PIECE = 1 << 20
_GZIP = 31  # zlib's wbits for gzip; its timestamp stays 0, so that equal lines give equal files


def _archives(viewer: Viewer, at: datetime) -> Iterator[Line]:
    numbers = visibility.archived_rounds(viewer, at).order_by("number").values_list("number", flat=True)
    write = ArchiveSerializer().to_representation
    return (
        write({"round": number, "url": settings.SITE_URL + reverse("archive", args=[number])}) for number in numbers
    )


FILES: dict[str, Callable[[Viewer, datetime], Iterable[Line]]] = {
    "levels.ndjson.gz": lines.levels,
    "optima.ndjson.gz": lines.optima,
    "submissions.ndjson.gz": lambda viewer, at: lines.submissions(viewer, at).lines(),
    SOLUTIONS: lambda viewer, at: lines.solutions(viewer, at).lines(),
    "archives.ndjson.gz": _archives,
}


@shared_task(name="contest.api.feeds.nightly.dump")
def dump() -> None:
    """Have the dump of the night made if it is due. Every worker checks every five minutes; one has it made.

    On a large site this takes minutes, in which verdicts are due. So a separate process makes it (`__main__`), which
    ends with this one.
    """
    at = clock.now()
    tidy(at)
    if not _is_due(at):
        return
    connection.close()  # not needed until the child ends
    with subprocess.Popen([sys.executable, "-m", "contest.api.feeds"], stdin=subprocess.PIPE) as child:
        if child.wait():
            raise RuntimeError("The dump of the night was not made; its process has said why.")


def make_due(at: datetime) -> bool:
    """Delete old and withdrawn dumps, and make the night's dump unless it exists; return whether it was made."""
    tidy(at)
    begun = _begin(at) if _is_due(at) else None
    if begun is None:
        return False
    with override("en"):
        for name, list_lines in FILES.items():
            _write(begun, name, list_lines(Viewer(), at))
    return bool(Dump.objects.filter(pk=begun.pk, made_at=None).update(made_at=clock.now()))


def tidy(at: datetime) -> None:
    """Delete dumps of old nights, withdrawn ones, and those that were never finished."""
    offered = [row.pk for row in visibility.dumps(Viewer(), at)]
    Dump.objects.complete().exclude(pk__in=offered).delete()
    Dump.objects.filter(night__lte=_night(at) - timedelta(days=settings.DUMPS_KEPT)).delete()
    Dump.objects.stale(at - _GIVEN_UP_AFTER).delete()


def _is_due(at: datetime) -> bool:
    return settings.DUMPS_KEPT > 0 and not Dump.objects.filter(night=_night(at)).exists()


def _begin(at: datetime) -> Dump | None:
    """Create the row of this night's dump, or return None if it exists. Record the public facts before any read."""
    facts = visibility.public_facts(at)
    try:
        with transaction.atomic():
            return Dump.objects.create(night=_night(at), begun_at=at, facts=facts)
    except IntegrityError:
        return None


def _night(at: datetime) -> date:
    """Return the date of the night that began last, in the site's time zone."""
    return (at.astimezone(identity.zone()) - _BEGINS).date()


def _write(row: Dump, name: str, listed: Iterable[Line]) -> None:
    """Compress the lines and store them in pieces. Memory O(piece)."""
    file = DumpFile.objects.create(dump=row, name=name)
    digest = hashlib.sha256()
    counted = _Counted(listed)
    for place, piece in enumerate(_pack(map(lines.render_line, counted))):
        digest.update(piece)
        file.size += len(piece)
        DumpPiece.objects.create(file=file, place=place, content=piece)
    file.lines, file.sha256 = counted.count, digest.hexdigest()
    file.save(update_fields=["lines", "size", "sha256"])


class _Counted:
    """Lines that are counted while they are iterated."""

    def __init__(self, listed: Iterable[Line]) -> None:
        self._lines = listed
        self.count = 0

    def __iter__(self) -> Iterator[Line]:
        for line in self._lines:
            self.count += 1
            yield line


def _pack(texts: Iterable[str]) -> Iterator[bytes]:
    packer, waiting = zlib.compressobj(wbits=_GZIP), bytearray()
    for text in texts:
        waiting += packer.compress(text.encode())
        if len(waiting) >= _PIECE:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting + packer.flush())
