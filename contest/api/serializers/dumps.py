"""Dumps of all public data."""

from collections.abc import Callable

from django.urls import reverse
from rest_framework.serializers import CharField, DateField, URLField

from contest.api.serializers.base import AnswerSerializer, MappingSerializer, Wrapper
from contest.api.serializers.fields import CountField, HashField, InstantField
from contest.models import Dump


def dump_row(dump: Dump, absolute: Callable[[str], str]) -> Wrapper:
    """Return a dump with its files and their URLs."""
    names = [(file, reverse("api-dump-file", args=[str(dump), file.name])) for file in dump.files.all()]
    return Wrapper(dump, files=[Wrapper(file, url=absolute(address)) for file, address in names])


class DumpFileSerializer(AnswerSerializer):
    """A file of a dump."""

    name = CharField()
    url = URLField()
    lines = CountField()
    bytes = CountField(source="size", help_text="Of the packed file.")
    sha256 = HashField(help_text="Of the packed file.")


class DumpSerializer(AnswerSerializer):
    """All public data of one night."""

    night = DateField()
    made_at = InstantField()
    files = DumpFileSerializer(many=True, help_text="NDJSON packed with gzip.")


class DumpListSerializer(MappingSerializer):
    """The dumps to download, newest first."""

    results = DumpSerializer(many=True)
