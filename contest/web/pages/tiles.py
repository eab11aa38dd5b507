"""List entries for levels of rounds and of collections."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from contest import visibility
from contest.levels import catalogue, listing
from contest.levels.catalogue import Selection
from contest.models import CollectedLevel, Collection
from contest.rankings.records import LevelRecords, of_levels
from contest.visibility import Viewer


@dataclass(frozen=True)
class Tile:
    """A level, its best counts, and the best counts of the viewer's own players."""

    level: Any
    best_moves: int | None
    best_pushes: int | None
    own_moves: int | None
    own_pushes: int | None

    @property
    def is_collected(self) -> bool:
        return isinstance(self.level, CollectedLevel)

    @property
    def play(self) -> str:
        """Return the URL to play the level; computed lazily because few tiles of a list are rendered."""
        if self.is_collected:
            return reverse("collected-play", args=[self.level.collection.slug, self.level.place])
        return reverse("play", args=[self.level.round.number, self.level.slot])

    @property
    def is_solved(self) -> bool:
        return self.own_moves is not None

    @property
    def is_best(self) -> bool:
        """Return True if the viewer's own players hold the best moves or the best pushes."""
        by_moves = self.own_moves is not None and self.best_moves is not None and self.own_moves <= self.best_moves
        by_pushes = self.own_pushes is not None and self.best_pushes is not None and self.own_pushes <= self.best_pushes
        return by_moves or by_pushes


class TileList:
    """A lazy sequence of the *wanted* tiles for a paginator: builds only the tiles of the requested page."""

    def __init__(self, viewer: Viewer, at: datetime, wanted: Selection, published: Iterable[Collection]) -> None:
        """Initialise with the public collections in *published*."""
        self._viewer, self._at, self._wanted = viewer, at, wanted
        self._published = {collection.pk: collection for collection in published}

    def count(self) -> int:
        return listing.count(self._viewer, self._at, self._wanted, self._published.values())

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, part: slice) -> list[Tile]:
        keys = listing.page(self._viewer, self._at, self._wanted, part.start, part.stop)
        tiles = {
            listing.ROUND: self._of_rounds([pk for kind, pk in keys if kind == listing.ROUND]),
            listing.COLLECTED: self._of_collections([pk for kind, pk in keys if kind == listing.COLLECTED]),
        }
        return [tiles[kind][pk] for kind, pk in keys if pk in tiles[kind]]

    def _of_rounds(self, keys: list[int]) -> dict[int, Tile]:
        if not keys:
            return {}
        found = catalogue.levels(self._viewer, self._at).filter(pk__in=keys)
        return {records.level.pk: _round_tile(records) for records in of_levels(found)}

    def _of_collections(self, keys: list[int]) -> dict[int, Tile]:
        if not keys:
            return {}
        found = visibility.collected_levels(self._viewer, self._at).filter(pk__in=keys)
        levels = [level for level in found if level.collection_id in self._published]
        for level in levels:
            level.collection = self._published[level.collection_id]
        return {tile.level.pk: tile for tile in collection_tiles(levels, self._viewer)}


def _round_tile(records: LevelRecords) -> Tile:
    level: Any = records.level  # with the annotations of `catalogue.levels`
    return Tile(
        level,
        records.by_moves.moves if records.by_moves else None,
        records.by_pushes.pushes if records.by_pushes else None,
        level.own_moves,
        level.own_pushes,
    )


def collection_tiles(levels: Iterable[CollectedLevel], viewer: Viewer) -> list[Tile]:
    """Return the tiles of *levels*, already filtered by visibility. One query, for the viewer's own results."""
    listed = list(levels)
    own = listing.own_bests(listed, viewer)
    return [Tile(level, level.best_moves, level.best_pushes, *own.get(level.pk, (None, None))) for level in listed]
