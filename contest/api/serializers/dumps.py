"""Dumps of all public data."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from rest_framework.serializers import CharField, DateField, URLField

from contest.api.serializers.base import MappingSerializer, Serializer, Wrapper
from contest.api.serializers.fields import CountField, HashField, InstantField
from contest.models import Dump, DumpFile


@dataclass(frozen=True)
class OfferedFile(Wrapper):
    """A file of a dump with its address."""

    row: DumpFile
    url: str


@dataclass(frozen=True)
class DumpRow(Wrapper):
    """A dump, and the function that makes whole addresses."""

    row: Dump
    absolute: Callable[[str], str]

    @property
    def files(self) -> list[OfferedFile]:
        return [
            OfferedFile(file, self.absolute(reverse("api-dump-file", args=[str(self.row), file.name])))
            for file in self.row.files.all()
        ]


class DumpFileSerializer(Serializer):
    """A file of a dump."""

    name = CharField()
    url = URLField()
    lines = CountField()
    bytes = CountField(source="size", help_text="Of the packed file.")
    sha256 = HashField(help_text="Of the packed file.")


class DumpSerializer(Serializer):
    """All public data of one night."""

    night = DateField()
    made_at = InstantField()
    files = DumpFileSerializer(many=True, help_text="NDJSON packed with gzip.")


class DumpListSerializer(MappingSerializer):
    """The dumps that may be taken away, newest first."""

    results = DumpSerializer(many=True)
