"""Published collections, and the levels to play on any day."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from rest_framework.serializers import CharField, ChoiceField, IntegerField, URLField

from contest.api.serializers.base import MappingSerializer, Serializer, Wrapper
from contest.api.serializers.fields import SLOTS, CountField, HashField, InstantField
from contest.models import CollectedLevel, Collection
from contest.rankings.records import LevelRecords

Address = Callable[[str], str]


@dataclass(frozen=True)
class CollectionRow(Wrapper):
    """A collection, and the function that makes whole addresses."""

    row: Collection
    absolute: Address

    @property
    def url(self) -> str:
        return self.absolute(self.row.get_absolute_url())

    @property
    def file(self) -> str | None:
        address = reverse("api-collection-file", args=[self.row.slug])
        return self.absolute(address) if self.row.may_download else None


@dataclass(frozen=True)
class OfRound(Wrapper):
    """A level of a revealed round in the library."""

    records: LevelRecords
    absolute: Address
    collection = place = grade = least_moves = least_pushes = None

    @property
    def row(self) -> Any:
        return self.records.level

    @property
    def url(self) -> str:
        return self.absolute(self.row.get_absolute_url())

    @property
    def round_number(self) -> int:
        return int(self.row.round.number)

    @property
    def board(self) -> str:
        return str(self.row.text.replace("|", "\n"))

    @property
    def best_moves(self) -> int | None:
        return self.records.by_moves.moves if self.records.by_moves else None

    @property
    def best_pushes(self) -> int | None:
        return self.records.by_pushes.pushes if self.records.by_pushes else None


@dataclass(frozen=True)
class OfCollection(Wrapper):
    """A level of a published collection in the library."""

    row: CollectedLevel
    absolute: Address
    round_number = slot = None

    @property
    def url(self) -> str:
        return self.absolute(self.row.get_absolute_url())

    @property
    def collection(self) -> str:
        return self.row.collection.slug

    @property
    def board(self) -> str | None:
        """A board that may not be downloaded is no part of it: pages show it to who plays."""
        return self.row.text.replace("|", "\n") if self.row.collection.may_download else None


class CollectionSerializer(Serializer):
    """A published collection."""

    slug = CharField()
    title = CharField(source="row", help_text="In the language of Accept-Language.")
    author = CharField()
    licence = CharField()
    remarks = CharField()
    levels = CountField(source="count", help_text="How many there are.")
    published_at = InstantField()
    url = URLField()
    file = URLField(allow_null=True, help_text="All levels as one file, where the author allows that.")


class LibraryLevelSerializer(Serializer):
    """A level to play on any day: of a round, or of a collection."""

    round = IntegerField(source="round_number", allow_null=True)
    slot = ChoiceField(SLOTS, allow_null=True)
    collection = CharField(allow_null=True, help_text="Its slug.")
    place = IntegerField(allow_null=True, help_text="In the collection, from 1.")
    title = CharField()
    author = CharField()
    width = CountField()
    height = CountField()
    boxes = CountField()
    sha256 = HashField()
    solvers = CountField()
    url = URLField()
    grade = IntegerField(allow_null=True, help_text="From 1, first steps, to 5, very hard.")
    board = CharField(allow_null=True, help_text="As of a Level; null where the author allows no download.")
    best_moves = CountField(allow_null=True, help_text="The fewest that anybody needed.")
    best_pushes = CountField(allow_null=True)
    least_moves = CountField(allow_null=True, help_text="No solution has fewer, where that is proved.")
    least_pushes = CountField(allow_null=True)


class LibrarySerializer(MappingSerializer):
    """A part of the list of levels."""

    count = CountField(help_text="How many rows there are in all.")
    results = LibraryLevelSerializer(many=True)
