"""The public list of playable levels: selection and order, and how many players solved each level."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from contest import visibility
from contest.models import Best, CollectedLevel, Level, Metric, Slot, Star, Vote
from contest.models.library.collection import words_of
from contest.rankings import sort_keys, standings
from contest.visibility import Viewer

ALL, NEW, SOLVED, BETTER, STARRED = "", "new", "solved", "better", "starred"
PLACE = Case(*(When(slot=slot, then=place) for place, slot in enumerate(Slot.values)), default=len(Slot.values))


@dataclass(frozen=True)
class Selection:
    """The selection from the list, and its order. *longest* limits both rows and columns.

    An order by a value that not every level has omits levels without it: author, best known, optimum, votes. *kind* is
    "rounds", "collections" or empty for both; *collection* (a slug), *grade* and *is_proved* restrict the list to
    levels of collections.
    """

    show: str = ALL
    boxes_from: int | None = None
    boxes_to: int | None = None
    longest: int | None = None
    text: str = ""
    by: str = "newest"
    kind: str = ""
    collection: str = ""
    grade: int | None = None
    author: str = ""
    is_proved: bool = False


def levels(viewer: Viewer, at: datetime) -> QuerySet[Any]:
    """Return all playable levels with `solvers`, and the reader's `own_moves` and `own_pushes`."""
    return visibility.playable_levels(viewer, at).annotate(
        solvers=_solvers(),
        own_moves=_fewest(Metric.MOVES, viewer.players),
        own_pushes=_fewest(Metric.PUSHES, viewer.players),
    )


def plain_levels(viewer: Viewer, at: datetime, selection: Selection) -> QuerySet[Any]:
    """Return the *selection* unordered, with only the annotations needed for selection and order."""
    listed: QuerySet[Any] = voted_for(visibility.playable_levels(viewer, at), selection.by, at)
    if selection.by in ("most", "least"):
        listed = listed.annotate(solvers=_solvers())
    elif selection.by == "best":
        listed = listed.annotate(best_moves=_fewest(Metric.MOVES)).filter(best_moves__isnull=False)
    if selection.show == STARRED:
        return within(listed, selection).filter(has_star("level", viewer))
    if selection.show == BETTER:
        own = {f"own_{metric}": _fewest(metric, viewer.players) for metric in Metric}
        listed = listed.annotate(**own)
    return _of_reader(within(listed, selection), selection.show, viewer.players)


def own_bests(viewer: Viewer, at: datetime) -> QuerySet[Best]:
    """Return the best rows of the reader's players on playable levels, unordered."""
    own = Best.objects.filter(player__in=viewer.players, board__in=standings.SOLVED_ON)
    return own.filter(level__in=visibility.playable_levels(viewer, at).order_by().values("pk")).order_by()


def at_the_best() -> tuple[Q, Q, Q]:
    """Return conditions on a best row: lowest on its level by moves, by pushes, by either."""
    rows = Best.objects.filter(sort_keys.ahead(["first"], OuterRef), level=OuterRef("level"), metric=OuterRef("metric"))
    is_lowest = Q(~Exists(rows.filter(board__in=standings.SOLVED_ON).order_by()))
    return is_lowest & Q(metric=Metric.MOVES), is_lowest & Q(metric=Metric.PUSHES), is_lowest


def within(listed: QuerySet[Any], selection: Selection) -> QuerySet[Any]:
    """Filter *listed*, levels of either kind, by the *selection* size and names."""
    if selection.boxes_from is not None:
        listed = listed.filter(boxes__gte=selection.boxes_from)
    if selection.boxes_to is not None:
        listed = listed.filter(boxes__lte=selection.boxes_to)
    if selection.longest is not None:
        listed = listed.filter(width__lte=selection.longest, height__lte=selection.longest)
    if selection.author:
        listed = listed.filter(author=selection.author)
    elif selection.by == "author":
        listed = listed.exclude(author="")
    return listed.filter(contains_words(listed.model, selection.text)) if selection.text else listed


def contains_words(model: type[Any], text: str) -> Q:
    """Return the condition that title or author contain *text*, ignoring case; only collections are large."""
    if model is Level:
        return Q(title__icontains=text) | Q(author__icontains=text)
    return Q(words__contains=words_of(text))


def has_star(column: str, viewer: Viewer) -> Q:
    """Return the condition that the reader follows the level, by the *column* of stars."""
    stars = Star.objects.filter(player__in=viewer.players).exclude(**{column: None})
    return Q(pk__in=stars.order_by().values(column))


def voted_for(listed: QuerySet[Any], by: str, at: datetime) -> QuerySet[Any]:
    """Filter *listed* to levels with a public mean vote on the scale *by*; all levels if it is no scale.

    Levels of rounds get an annotation `mean`; levels of collections have a column with the scale's name.
    """
    if by not in Vote.SCALES:
        return listed
    in_play = visibility.in_play(at).order_by().values("key")
    hidden = listed.model._default_manager.filter(key__in=in_play).order_by().values("pk")
    shown = listed.exclude(pk__in=hidden)
    if listed.model is CollectedLevel:
        return shown.filter(**{f"{by}__isnull": False})
    has_vote = {f"votes__{by}__isnull": False, "votes__player__merged_into": None}
    public: QuerySet[Any] = shown.filter(**has_vote).annotate(**Vote.tallies(by, "votes__"))
    return public.filter(Vote.is_mean_public())


def _of_reader(listed: QuerySet[Any], show: str, players: Collection[int]) -> QuerySet[Any]:
    """Filter to levels that *players* have not solved, have solved, or could solve with fewer moves or pushes."""
    if show == ALL:
        return listed
    solved = Exists(_bests(Metric.MOVES).filter(player__in=players))
    if show == NEW:
        return listed.exclude(solved)
    if show == SOLVED:
        return listed.filter(solved)
    beaten = Q(own_moves__gt=F("least_moves")) | Q(own_pushes__gt=F("least_pushes"))
    compared: QuerySet[Any] = listed.alias(least_moves=_fewest(Metric.MOVES), least_pushes=_fewest(Metric.PUSHES))
    return compared.filter(beaten)


def _bests(metric: Metric) -> QuerySet[Best]:
    """Return the best rows of the outer query's level."""
    return Best.objects.filter(level=OuterRef("pk"), board__in=standings.SOLVED_ON, metric=metric).order_by()


def _fewest(metric: Metric, players: Collection[int] | None = None) -> Subquery:
    """Return the least count of *players*' solutions, or of anybody's; null without a solution."""
    bests = _bests(metric) if players is None else _bests(metric).filter(player__in=players)
    return Subquery(bests.order_by("first").values("first")[:1])


def _solvers() -> Coalesce:
    """Return the number of players who solved the level, in the contest, in practice or both."""
    counted = _bests(Metric.MOVES).values("level").annotate(count=Count("player", distinct=True))
    return Coalesce(Subquery(counted.values("count")), 0)
