"""The public list over both kinds of levels: those of revealed rounds, and those of published collections.

Both kinds give the same few columns, and the database merges them: neither is read further than the page asked for.
"""

from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from contest import visibility
from contest.infra.cache import remember
from contest.levels import catalogue
from contest.levels.catalogue import ALL, BETTER, NEW, Wanted
from contest.models import CollectedLevel, LevelResult
from contest.rankings import collected
from contest.visibility import Viewer

ROUND, COLLECTED = 0, 1
_MIDDLE = 3  # of five grades, for levels that nobody has graded
# For each order the column of a round's level, that of a collected one, and whether the largest comes first.
_KEYS: dict[str, tuple[Any, Any, bool]] = {
    "newest": (F("round__opens_at"), F("published_at"), True),
    "boxes": (F("boxes"), F("boxes"), False),
    "size": (F("width") * F("height"), F("area"), False),
    "most": (F("solvers"), F("solvers"), True),
    "least": (F("solvers"), F("solvers"), False),
    "easiest": (Value(_MIDDLE), Coalesce("grade", _MIDDLE), False),
    "hardest": (Value(_MIDDLE), Coalesce("grade", _MIDDLE), True),
}


def count(viewer: Viewer, at: datetime, wanted: Wanted) -> int:
    """How many levels are *wanted*. Where it hangs on no reader it is kept for some minutes."""

    def make() -> int:
        return sum(listed.order_by().count() for _kind, listed in _kinds(viewer, at, wanted))

    return make() if wanted.show != ALL else remember(("levels listed", wanted), make)


def page(viewer: Viewer, at: datetime, wanted: Wanted, start: int, stop: int) -> list[tuple[int, int]]:
    """The kinds and keys of the levels *wanted* from *start* up to *stop*. One query."""
    of_round, of_collection, is_falling = _KEYS[wanted.by]
    keys = {
        ROUND: (of_round, -F("round__number"), catalogue.PLACE),
        COLLECTED: (of_collection, F("collection"), F("place")),
    }
    chosen = []
    for kind, listed in _kinds(viewer, at, wanted):
        row = dict(zip(("kind", "first_key", "second_key", "third_key"), (Value(kind), *keys[kind]), strict=True))
        chosen.append(listed.order_by().annotate(**row).values_list("kind", "pk", *list(row)[1:]))
    rows = chosen[0].union(*chosen[1:], all=True) if len(chosen) > 1 else chosen[0]
    ordered = rows.order_by("-first_key" if is_falling else "first_key", "second_key", "third_key")
    return [(kind, pk) for kind, pk, *_keys in ordered[start:stop]]


def _wanted_kinds(wanted: Wanted) -> list[int]:
    if wanted.collection or wanted.grade or wanted.is_proved:
        return [COLLECTED]
    return {"rounds": [ROUND], "collections": [COLLECTED]}.get(wanted.kind, [ROUND, COLLECTED])


def _kinds(viewer: Viewer, at: datetime, wanted: Wanted) -> list[tuple[int, QuerySet[Any]]]:
    made = {ROUND: catalogue.plain_levels, COLLECTED: _collected}
    return [(kind, made[kind](viewer, at, wanted)) for kind in _wanted_kinds(wanted)]


def _collected(viewer: Viewer, at: datetime, wanted: Wanted) -> QuerySet[CollectedLevel]:
    listed = catalogue.within(visibility.collected_levels(viewer, at), wanted)
    if wanted.collection:
        listed = listed.filter(collection__slug=wanted.collection)
    if wanted.grade:
        listed = listed.filter(grade=wanted.grade)
    if wanted.is_proved:
        listed = listed.filter(least_pushes__isnull=False)
    if wanted.show == ALL:
        return listed
    own = LevelResult.objects.filter(level=OuterRef("pk"), player__in=viewer.players).order_by()
    # By the keys of the reader's own results, which are few: never a look at each level.
    is_solved = Q(pk__in=LevelResult.objects.filter(player__in=viewer.players).order_by().values("level"))
    if wanted.show == NEW:
        return listed.exclude(is_solved)
    if wanted.show == BETTER:
        best = [Exists(own.filter(**{name: OuterRef(f"best_{name}")})) for name in ("moves", "pushes")]
        return listed.filter(is_solved).exclude(best[0] & best[1])
    return listed.filter(is_solved)


def progress(viewer: Viewer) -> dict[int, int]:
    """How many levels of each collection the reader's own players have solved. One query, and none without players."""
    if not viewer.players:
        return {}
    theirs = LevelResult.objects.filter(player__in=viewer.players, level__is_public=True).order_by()
    counted = theirs.values_list("level__collection").annotate(solved=Count("level", distinct=True))
    return dict(counted)


def own(levels: list[CollectedLevel], viewer: Viewer) -> dict[int, tuple[int, int]]:
    """The fewest moves and pushes of the reader's own players, by level."""
    return collected.own_bests([level.pk for level in levels], viewer.players)
