"""The doors to the dumps: which there are, and their files."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api.authentication import viewer_of
from contest.api.base import View
from contest.api.feeds import nightly
from contest.api.objects.dumps import DUMP_LIST, DumpRow
from contest.api.schema import GZIP, gives, reads
from contest.infra import clock
from contest.infra.site_address import absolute
from contest.models import Dump, DumpFile, Round
from contest.replays import practice
from contest.visibility import Viewer


class Dumps(View):
    @reads("DumpList", "The dumps of the last nights, with sizes and checksums.")
    def get(self, request: Request) -> Response:
        offered = visibility.dumps(viewer_of(request), clock.now())
        return Response(DUMP_LIST.show([DumpRow(one, partial(absolute, request)) for one in offered]))


class File(View):
    @gives("", GZIP, "A file of a dump.", name="readDumpFile")
    def get(self, request: Request, night: str, name: str) -> HttpResponseBase:
        """A player who takes moves away is remembered (rule 20.3)."""
        at, viewer = clock.now(), viewer_of(request)
        dump, file = _find(viewer, at, night, name)
        if name == nightly.SOLUTIONS:
            for round_ in Round.objects.filter(pk__in=dump.facts["moves"]):
                practice.note_all_seen(viewer, round_, at)
        answer = StreamingHttpResponse(_pieces(file), content_type=GZIP)
        answer.headers["Content-Length"] = str(file.size)
        answer.headers["Content-Disposition"] = f'attachment; filename="{night}-{name}"'
        answer.headers["ETag"] = f'"{file.sha256}"'
        return answer


def _find(viewer: Viewer, at: datetime, night: str, name: str) -> tuple[Dump, DumpFile]:
    for dump in visibility.dumps(viewer, at):
        for file in dump.files.all():
            if (str(dump), file.name) == (night, name):
                return dump, file
    raise Http404


def _pieces(file: DumpFile) -> Iterator[bytes]:
    """Read one after the other, each in a question of its own."""
    for place in file.pieces.values_list("place", flat=True):
        yield bytes(file.pieces.get(place=place).content)
