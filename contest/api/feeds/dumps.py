"""Views of the dumps: the list of them, and their files."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api.base import View
from contest.api.feeds import nightly
from contest.api.schema import GZIP, gives, reads
from contest.api.serializers.dumps import DumpListSerializer, dump_row
from contest.infra.site_address import absolute_url
from contest.models import Dump, DumpFile, Round
from contest.replays import practice
from contest.visibility import Viewer


class Dumps(View):
    @reads(DumpListSerializer, "The dumps of the last nights, with sizes and checksums.")
    def get(self, request: Request) -> Response:
        dumps = visibility.dumps(self.viewer, self.at)
        rows = [dump_row(dump, partial(absolute_url, request)) for dump in dumps]
        return Response(DumpListSerializer({"results": rows}).data)


class File(View):
    @gives(None, GZIP, "A file of a dump.", name="readDumpFile")
    def get(self, _request: Request, night: str, name: str) -> HttpResponseBase:
        """Record that a player who downloads moves has seen them (rule 20.3)."""
        dump, file = _find(self.viewer, self.at, night, name)
        if name == nightly.SOLUTIONS:
            for round_ in Round.objects.filter(pk__in=dump.facts["moves"]):
                practice.record_all_seen(self.viewer, round_, self.at)
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
    """Yield the pieces in order, each read by its own query."""
    for place in file.pieces.values_list("place", flat=True):
        yield bytes(file.pieces.get(place=place).content)
