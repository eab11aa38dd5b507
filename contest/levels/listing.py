"""The public list of levels from revealed rounds and from published collections.

Both kinds select the same few columns, and the database merges them. PostgreSQL reads each only up to the requested
page, because both parts of the union have a limit. SQLite supports no limits there and sorts everything; both databases
sort everything for the few levels that a reader solved or starred.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce

from contest import visibility
from contest.infra.cache import remember
from contest.levels import catalogue
from contest.levels.catalogue import ALL, BETTER, NEW, SOLVED, STARRED, Selection
from contest.models import CollectedLevel, Collection, LevelResult, Vote
from contest.rankings import collected
from contest.visibility import Viewer

ROUND, COLLECTED = 0, 1
_FAR = 2_000  # rows that are faster to sort than to count
_MIDDLE = 3  # of five grades, for ungraded levels
# For each order: the column of a round's level, that of a collected one, and whether it is descending.
ORDERS: dict[str, tuple[Any, Any, bool]] = {
    "newest": (F("round__opens_at"), F("published_at"), True),
    "boxes": (F("boxes"), F("boxes"), False),
    "size": (Cast(F("width") * F("height"), IntegerField()), F("area"), False),
    "most": (Cast("solvers", IntegerField()), F("solvers"), True),
    "least": (Cast("solvers", IntegerField()), F("solvers"), False),
    "easiest": (Value(_MIDDLE), Coalesce("grade", _MIDDLE), False),
    "hardest": (Value(_MIDDLE), Coalesce("grade", _MIDDLE), True),
    "author": (F("author"), F("author"), False),
    "best": (F("best_moves"), F("best_moves"), False),
    "optimum": (None, F("least_pushes"), False),
    **{scale: (F("mean"), F(scale), True) for scale in Vote.SCALES},
}
# Orders by values that not every level has: levels without them are omitted.
OF_SOME = {"author", "best", "optimum", *Vote.SCALES}


@dataclass(frozen=True)
class Progress:
    """The progress of the reader's players in the whole list of *levels*."""

    levels: int
    solved: int
    beaten: int  # solved levels for which another player has fewer moves or pushes

    @property
    def best(self) -> int:
        return self.solved - self.beaten

    def count(self, show: str) -> int | None:
        """Return the length of the list filtered by *show* only; None if it depends on more."""
        known = {ALL: self.levels, NEW: self.levels - self.solved, SOLVED: self.solved, BETTER: self.beaten}
        return known.get(show)


def progress_in(viewer: Viewer, at: datetime, selection: Selection, published: Iterable[Collection]) -> Progress | None:
    """Return the progress of a reader with players if the whole list is shown, in any order. One query."""
    is_whole = selection == Selection(show=selection.show, by=selection.by) and selection.by not in OF_SOME
    if not viewer.players or not is_whole:
        return None
    playable = visibility.playable_levels(viewer, at).order_by()
    of_all = _count_row(playable, levels=Count("pk"))
    in_rounds = _count_own(catalogue.own_bests(viewer, at), *catalogue.at_the_best())
    in_collections = _count_own(_own_results(viewer), *_AT_THE_BEST)
    rows = of_all.union(in_rounds, in_collections, all=True)
    levels, solved, by_moves, by_pushes, by_either = map(sum, zip(*rows, strict=True))
    return Progress(
        levels=levels + sum(collection.count for collection in published),
        solved=solved,
        beaten=solved - (by_moves + by_pushes - by_either),
    )


# On a reader's result for a level of a collection: nobody has fewer moves, or fewer pushes.
_BY_MOVES, _BY_PUSHES = Q(moves=F("level__best_moves")), Q(pushes=F("level__best_pushes"))
_COLUMNS = "levels", "solved", "by_moves", "by_pushes", "by_either"
_AT_THE_BEST = _BY_MOVES, _BY_PUSHES, _BY_MOVES | _BY_PUSHES


def _count_own(results: QuerySet[Any], by_moves: Q, by_pushes: Q, by_either: Q) -> QuerySet[Any]:
    """Build one row of counts over own results: levels solved, best by moves, by pushes, by at least one of them."""
    parts = {"solved": None, "by_moves": by_moves, "by_pushes": by_pushes, "by_either": by_either}
    return _count_row(results, **{name: Count("level", distinct=True, filter=part) for name, part in parts.items()})


def _count_row(counted: QuerySet[Any], **counts: Count) -> QuerySet[Any]:
    """Build a row with the columns of `progress_in`; 0 for missing counts."""
    columns = {name: counts.get(name, Value(0)) for name in _COLUMNS}
    row: QuerySet[Any] = counted.values(kind=Value(0)).annotate(**columns)
    return row.values_list(*_COLUMNS)


def _own_results(viewer: Viewer) -> QuerySet[LevelResult]:
    return LevelResult.objects.filter(player__in=viewer.players, level__is_public=True).order_by()


def count(viewer: Viewer, at: datetime, selection: Selection, published: Iterable[Collection] | None = None) -> int:
    """Return the number of *selection* levels; cached for some minutes unless it depends on the reader.

    *published* are the public collections, if the caller has loaded them.
    """
    if selection.by not in OF_SOME:
        selection = replace(selection, by=Selection.by)
    if selection.show == NEW:
        all_, solved = (count(viewer, at, replace(selection, show=show), published) for show in (ALL, SOLVED))
        return max(0, all_ - solved)

    def compute() -> int:
        return _count(viewer, at, selection, visibility.collections(viewer, at) if published is None else published)

    return compute() if selection.show != ALL else remember(("levels listed", selection), compute)


def _count(viewer: Viewer, at: datetime, selection: Selection, published: Iterable[Collection]) -> int:
    kinds, total = dict(_kinds(viewer, at, selection)), 0
    if COLLECTED in kinds and replace(selection, kind="", collection="") == Selection():
        # Use the collections' stored counts: counting would take as long as all else on the page.
        del kinds[COLLECTED]
        total = sum(collection.count for collection in published if selection.collection in ("", collection.slug))
    if kinds:
        first, *more = (listed.order_by().values("pk") for listed in kinds.values())
        total += first.union(*more, all=True).count()
    return total


def page(viewer: Viewer, at: datetime, selection: Selection, start: int, stop: int) -> list[tuple[int, int]]:
    """Return the kinds and keys of the *selection* levels from *start* up to *stop*. One query, two for a far page."""
    if stop <= start:
        return []
    of_round, of_collection, is_descending = ORDERS[selection.by]
    keys: dict[int, tuple[Any, ...]] = {
        ROUND: (of_round, Cast(-F("round__number"), BigIntegerField()), catalogue.PLACE),
        COLLECTED: (of_collection, F("collection"), F("place")),
    }
    order = ("-first_key" if is_descending else "first_key", "second_key", "third_key")
    queries = {}
    for kind, listed in _kinds(viewer, at, selection):
        row = dict(zip(("kind", "first_key", "second_key", "third_key"), (Value(kind), *keys[kind]), strict=True))
        queries[kind] = listed.order_by().annotate(**row).values_list("kind", "pk", *list(row)[1:])
    if len(queries) == 1:
        (rows,) = queries.values()
        return [(kind, pk) for kind, pk, *_keys in rows.order_by(*order)[start:stop]]
    # The few levels that the reader solved or starred would have to be searched among all levels in order.
    is_limited = connection.features.supports_slicing_ordering_in_compound and selection.show in (ALL, NEW)
    # At least this many levels of collections precede the page, wherever the rounds' levels are.
    skipped = max(0, start - queries[ROUND].count()) if is_limited and start > _FAR else 0
    if is_limited:
        queries[ROUND] = queries[ROUND].order_by(*order)[:stop]
        queries[COLLECTED] = queries[COLLECTED].order_by(*order)[skipped:stop]
    merged = queries[ROUND].union(queries[COLLECTED], all=True).order_by(*order)
    return [(kind, pk) for kind, pk, *_keys in merged[start - skipped : stop - skipped]]


def _wanted_kinds(selection: Selection) -> list[int]:
    if selection.collection or selection.grade or selection.is_proved or selection.by == "optimum":
        return [COLLECTED]
    return {"rounds": [ROUND], "collections": [COLLECTED]}.get(selection.kind, [ROUND, COLLECTED])


def _kinds(viewer: Viewer, at: datetime, selection: Selection) -> list[tuple[int, QuerySet[Any]]]:
    sources = {ROUND: catalogue.plain_levels, COLLECTED: _levels_of_collections}
    return [(kind, sources[kind](viewer, at, selection)) for kind in _wanted_kinds(selection)]


def _levels_of_collections(viewer: Viewer, at: datetime, selection: Selection) -> QuerySet[CollectedLevel]:
    listed = catalogue.voted_for(visibility.collected_levels(viewer, at), selection.by, at)
    listed = catalogue.within(listed, selection)
    if selection.collection:
        listed = listed.filter(collection__slug=selection.collection)
    if selection.grade:
        listed = listed.filter(grade=selection.grade)
    if selection.is_proved or selection.by == "optimum":
        listed = listed.filter(least_pushes__isnull=False)
    if selection.by == "best":
        listed = listed.filter(best_moves__isnull=False)
    if selection.show == ALL:
        return listed
    if selection.show == STARRED:
        return listed.filter(catalogue.has_star("collected", viewer))
    # By the keys of the reader's own results, which are few: avoids a subquery per level.
    is_solved = Q(pk__in=LevelResult.objects.filter(player__in=viewer.players).order_by().values("level"))
    if selection.show == NEW:
        return listed.exclude(is_solved)
    if selection.show == BETTER:
        return listed.filter(is_solved).exclude(_is_best(viewer))
    return listed.filter(is_solved)


def _is_best(viewer: Viewer) -> Q:
    """Return the condition that nobody needs fewer moves or pushes for the collected level than the reader."""
    results = LevelResult.objects.filter(level=OuterRef("pk"), player__in=viewer.players).order_by()
    by_moves, by_pushes = (Exists(results.filter(**{name: OuterRef(f"best_{name}")})) for name in ("moves", "pushes"))
    return Q(by_moves & by_pushes)


def with_progress(collections: QuerySet[Collection], viewer: Viewer) -> QuerySet[Any]:
    """Annotate *collections* with `solved`, the number of levels solved by the reader's players."""
    own = _own_results(viewer).filter(level__collection=OuterRef("pk")).values("level__collection")
    counted = own.annotate(solved=Count("level", distinct=True)).values("solved")
    annotated: QuerySet[Any] = collections.annotate(solved=Coalesce(Subquery(counted), 0))
    return annotated


def own_bests(levels: list[CollectedLevel], viewer: Viewer) -> dict[int, tuple[int, int]]:
    """Return the fewest moves and pushes of the reader's players, by level."""
    return collected.own_bests([level.pk for level in levels], viewer.players)
