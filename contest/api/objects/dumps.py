"""Dumps of all public data."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from contest.api.objects.kinds import ADDRESS, COUNT, HASH, TEXT, TIME, Kind, Member, Shape, inside, many
from contest.models import Dump, DumpFile


@dataclass(frozen=True)
class OfferedFile:
    """A file of a dump with its address."""

    file: DumpFile
    url: str


@dataclass(frozen=True)
class DumpRow:
    """A dump, and what makes whole addresses."""

    dump: Dump
    absolute: Callable[[str], str]

    @property
    def files(self) -> list[OfferedFile]:
        return [
            OfferedFile(file, self.absolute(reverse("api-dump-file", args=[str(self.dump), file.name])))
            for file in self.dump.files.all()
        ]


_FILE = Shape[OfferedFile]("", "One.", [
    *inside("file", [Member[DumpFile]("name", TEXT)]),
    Member("url", ADDRESS),
    *inside("file", [
        Member[DumpFile]("lines", COUNT),
        Member[DumpFile]("bytes", COUNT, lambda file: file.size, "Of the packed file."),
        Member[DumpFile]("sha256", HASH, words="Of the packed file."),
    ]),
])  # fmt: skip
DUMP = Shape[DumpRow]("Dump", "All public data of one night.", [
    *inside("dump", [
        Member[Dump]("night", Kind({"type": "string", "format": "date"}, str)),
        Member[Dump]("made_at", TIME),
    ]),
    Member("files", many(_FILE), words="NDJSON packed with gzip."),
])  # fmt: skip
DUMP_LIST = Shape[Any]("DumpList", "The dumps that may be taken away, newest first.", [
    Member("results", many(DUMP), lambda offered: offered),
])  # fmt: skip
OF_DUMPS = (DUMP, DUMP_LIST)
