"""Published collections, and the levels to play on any day."""

from collections.abc import Callable

from django.urls import reverse
from rest_framework.serializers import CharField, ChoiceField, IntegerField, URLField

from contest.api.serializers.base import AnswerSerializer, MappingSerializer, Wrapper
from contest.api.serializers.fields import METRICS, SLOTS, CountField, HashField, InstantField
from contest.models import CollectedLevel, Collection
from contest.rankings.records import LevelRecords

Address = Callable[[str], str]


def collection_row(row: Collection, absolute: Address) -> Wrapper:
    """Return a collection with its URLs."""
    file = absolute(reverse("api-collection-file", args=[row.slug])) if row.may_download else None
    return Wrapper(row, url=absolute(row.get_absolute_url()), file=file)


def of_round(records: LevelRecords, absolute: Address) -> Wrapper:
    """Return a level of a revealed round for the library."""
    level = records.level
    return Wrapper(
        level,
        round=level.round.number,
        url=absolute(level.get_absolute_url()),
        board=level.text.replace("|", "\n"),
        best_moves=records.by_moves.moves if records.by_moves else None,
        best_pushes=records.by_pushes.pushes if records.by_pushes else None,
        **dict.fromkeys(("collection", "place", "grade", "least_moves", "least_pushes")),
    )


def of_collection(level: CollectedLevel, absolute: Address) -> Wrapper:
    """Return a level of a published collection; without downloads the board is null (pages show it to players)."""
    return Wrapper(
        level,
        round=None,
        slot=None,
        url=absolute(level.get_absolute_url()),
        collection=level.collection.slug,
        board=level.text.replace("|", "\n") if level.collection.may_download else None,
    )


class CollectionSerializer(AnswerSerializer):
    """A published collection."""

    slug = CharField()
    title = CharField(source="*", help_text="In the language of Accept-Language.")
    author = CharField()
    licence = CharField()
    remarks = CharField()
    levels = CountField(source="count", help_text="How many there are.")
    published_at = InstantField()
    url = URLField()
    file = URLField(allow_null=True, help_text="All levels as one file, where the author allows that.")


class PlacedSerializer(AnswerSerializer):
    """A level of a round, or of a collection."""

    round = IntegerField(allow_null=True)
    slot = ChoiceField(SLOTS, allow_null=True)
    collection = CharField(allow_null=True, help_text="Its slug.")
    place = IntegerField(allow_null=True, help_text="In the collection, from 1.")
    title = CharField()
    author = CharField()


class LibraryLevelSerializer(PlacedSerializer):
    """A level to play on any day: of a round, or of a collection."""

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


class OptimumLineSerializer(PlacedSerializer, MappingSerializer):
    """A proved optimum of a level, of a round or a collection, with its certificate."""

    level_sha256 = HashField(help_text="Of the board.")
    by = ChoiceField(METRICS)
    number = CountField(help_text="A solution has so many, and none has fewer.")
    url = URLField(help_text="The level's page.")
    certificate = URLField(allow_null=True, help_text="Null: proved, and the certificate is too large.")
    bytes = CountField(allow_null=True, help_text="Of the certificate.")
    sha256 = HashField(allow_null=True, help_text="Of the certificate.")
    engine = CharField(help_text="The version of the solver.")
    made_at = InstantField()
