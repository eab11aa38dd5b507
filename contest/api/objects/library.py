"""Published collections, and the levels to play on any day."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from contest.api.objects.kinds import (
    ADDRESS,
    COUNT,
    HASH,
    INTEGER,
    MAYBE_TEXT,
    SLOT,
    TEXT,
    TIME,
    Member,
    Shape,
    inside,
    list_members,
    maybe,
)
from contest.models import CollectedLevel, Collection
from contest.rankings.records import LevelRecords

Address = Callable[[str], str]


@dataclass(frozen=True)
class CollectionRow:
    """A collection, and what makes whole addresses."""

    collection: Collection
    absolute: Address

    @property
    def url(self) -> str:
        return self.absolute(self.collection.get_absolute_url())

    @property
    def file(self) -> str | None:
        address = reverse("api-collection-file", args=[self.collection.slug])
        return self.absolute(address) if self.collection.may_download else None


@dataclass(frozen=True)
class OfRound:
    """A level of a revealed round in the library."""

    records: LevelRecords
    absolute: Address
    collection = place = grade = least_moves = least_pushes = None

    @property
    def level(self) -> Any:
        return self.records.level

    @property
    def round(self) -> int:
        return int(self.level.round.number)

    @property
    def slot(self) -> str:
        return str(self.level.slot)

    @property
    def board(self) -> str:
        return str(self.level.text.replace("|", "\n"))

    @property
    def best_moves(self) -> int | None:
        return self.records.by_moves.moves if self.records.by_moves else None

    @property
    def best_pushes(self) -> int | None:
        return self.records.by_pushes.pushes if self.records.by_pushes else None


@dataclass(frozen=True)
class OfCollection:
    """A level of a published collection in the library."""

    level: CollectedLevel
    absolute: Address
    round = slot = None

    @property
    def collection(self) -> str:
        return self.level.collection.slug

    @property
    def board(self) -> str | None:
        """A board that may not be downloaded is no part of it: pages show it to who plays."""
        return self.level.text.replace("|", "\n") if self.level.collection.may_download else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.level, name)


COLLECTION = Shape[CollectionRow]("Collection", "A published collection.", [
    *inside("collection", [
        Member[Collection]("slug", TEXT),
        Member[Collection]("title", TEXT, str, "In the language of Accept-Language."),
        Member[Collection]("author", TEXT),
        Member[Collection]("licence", TEXT),
        Member[Collection]("remarks", TEXT),
        Member[Collection]("levels", COUNT, lambda collection: collection.count, "How many there are."),
        Member[Collection]("published_at", TIME),
    ]),
    Member("url", ADDRESS),
    Member("file", maybe(ADDRESS), words="All levels as one file, where the author allows that."),
])  # fmt: skip
LIBRARY_LEVEL = Shape[OfRound | OfCollection](
    "LibraryLevel", "A level to play on any day: of a round, or of a collection.", [
    Member("round", maybe(INTEGER)),
    Member("slot", maybe(SLOT)),
    Member("collection", MAYBE_TEXT, words="Its slug."),
    Member("place", maybe(INTEGER), words="In the collection, from 1."),
    *inside("level", [
        Member[Any]("title", TEXT),
        Member[Any]("author", TEXT),
        Member[Any]("width", COUNT),
        Member[Any]("height", COUNT),
        Member[Any]("boxes", COUNT),
        Member[Any]("sha256", HASH),
        Member[Any]("solvers", COUNT),
    ]),
    Member("url", ADDRESS, lambda one: one.absolute(one.level.get_absolute_url())),
    Member("grade", maybe(INTEGER), words="From 1, first steps, to 5, very hard."),
    Member("board", MAYBE_TEXT, words="As of a Level; null where the author allows no download."),
    Member("best_moves", maybe(COUNT), words="The fewest that anybody needed."),
    Member("best_pushes", maybe(COUNT)),
    Member("least_moves", maybe(COUNT), words="No solution has fewer, where that is proved."),
    Member("least_pushes", maybe(COUNT)),
])  # fmt: skip
LIBRARY = Shape[Any]("Library", "A part of the list of levels.", list_members(LIBRARY_LEVEL))
OF_LIBRARY = (COLLECTION, LIBRARY_LEVEL, LIBRARY)
