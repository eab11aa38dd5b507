"""Rankings of collection levels (rule 26): two for each level, with rule 8.4's keys, over all time.

The best result of each player by each metric is marked as results arrive, and so are the best counts of the level.
"""

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from contest.models import CollectedLevel, LevelResult, Metric, Player, Vote
from contest.rankings.sort_keys import KEYS
from contest.rankings.sort_keys import ahead as ahead_of

SHOWN = 50


def ranking(level: CollectedLevel, metric: Metric, most: int = SHOWN) -> list[LevelResult]:
    """Return the first *most* rows of a ranking, each with its `rank`, without moves."""
    best = _best(metric).filter(level=level).select_related("player").defer("lurd", "receipt_id")
    rows = list(best.order_by(*KEYS[metric])[:most])
    for rank, row in enumerate(rows, 1):
        row.rank = rank  # type: ignore[attr-defined]
    return rows


def rank(result: LevelResult, metric: Metric) -> int | None:
    """Return the rank of *result*, or None if its player has a better one."""
    if not getattr(result, f"is_best_by_{metric}"):
        return None
    ahead = ahead_of(KEYS[metric], partial(getattr, result))
    return 1 + _best(metric).filter(ahead, level=result.level_id).count()


def places(levels: QuerySet[CollectedLevel], metric: Metric, player: Player) -> list[tuple[LevelResult, int]]:
    """Return *player*'s best results on *levels*, each with its level and rank. One query."""
    own = _best(metric).filter(level__in=levels.order_by().values("pk"), player=player)
    ahead = _best(metric).filter(ahead_of(KEYS[metric], OuterRef), level=OuterRef("level")).order_by().values("level")
    counted = Subquery(ahead.annotate(counted=Count("pk")).values("counted"))
    rows = own.select_related("level").defer("lurd").annotate(rank=1 + Coalesce(counted, 0))
    return [(row, row.rank) for row in rows]


def numbers(level: CollectedLevel, metric: Metric, limit: int = 2_000) -> list[tuple[int, int, str]]:
    """Return moves, pushes and nickname of everybody in the ranking, from which a page previews a rank (rule 7.7)."""
    rows = _best(metric).filter(level=level).order_by(*KEYS[metric])
    return list(rows.values_list("moves", "pushes", "player__nickname")[:limit])


def own_bests(levels: Iterable[int], players: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return the fewest moves and pushes of *players* together, by level. One query, none without players."""
    if not players:
        return {}
    results = LevelResult.objects.filter(level__in=list(levels), player__in=players).order_by()
    counted = results.values_list("level").annotate(Min("moves"), Min("pushes"))
    return {level: (moves, pushes) for level, moves, pushes in counted}


def enter(result: LevelResult) -> None:
    """Update the marks and counts for *result*, which was just stored. The caller holds the lock on its level."""
    _mark(result.level_id, result.player_id)
    _count(result.level_id)


@transaction.atomic
def give(results: QuerySet[LevelResult], target: Player) -> int:
    """Move *results* of a player to *target* and rank both again (rule 4.13); return how many."""
    given = dict(results.values_list("pk", "player"))
    rows = LevelResult.objects.filter(pk__in=given)
    levels = sorted(set(rows.values_list("level", flat=True)))
    list(CollectedLevel.objects.select_for_update(no_key=True).filter(pk__in=levels).order_by("pk").values_list("pk"))
    rows.update(player=target, is_best_by_moves=False, is_best_by_pushes=False)
    for level in levels:
        for player in {*given.values(), target.pk}:
            _mark(level, player)
        _count(level)
    return len(given)


@transaction.atomic
def count_votes(levels: Iterable[int]) -> None:
    """Store the mean votes of *levels* (rule 27.1) after a vote was cast, deleted or moved to another name.

    The vote of a merged name is left out.
    """
    # Locked first: of two concurrent votes the second one counts what the first has written.
    held = CollectedLevel.objects.select_for_update(no_key=True).filter(pk__in=list(levels)).order_by("pk")
    pks = list(held.values_list("pk", flat=True))
    votes: Any = Vote.objects.filter(collected=OuterRef("pk"), player__merged_into=None).order_by().values("collected")
    means = {scale: votes.annotate(**Vote.tallies(scale)).filter(Vote.is_mean_public()) for scale in Vote.SCALES}
    CollectedLevel.objects.filter(pk__in=pks).update(
        **{scale: Subquery(of.values("mean")) for scale, of in means.items()}
    )


def _best(metric: Metric) -> QuerySet[LevelResult]:
    return LevelResult.objects.filter(**{f"is_best_by_{metric}": True})


def _mark(level: int, player: int) -> None:
    """Mark the best of a player's results by each metric, and unmark all others."""
    results = LevelResult.objects.filter(level=level, player=player)
    for metric in Metric:
        field = f"is_best_by_{metric}"
        best = results.order_by(*KEYS[metric]).values_list("pk", flat=True)[:1]
        for pk in best:  # empty once all were moved to another player
            results.filter(**{field: True}).exclude(pk=pk).update(**{field: False})
            results.filter(pk=pk, **{field: False}).update(**{field: True})


def _count(level: int) -> None:
    by_moves = LevelResult.objects.filter(level=level, is_best_by_moves=True)
    by_pushes = LevelResult.objects.filter(level=level, is_best_by_pushes=True)
    counted = by_moves.aggregate(best_moves=Min("moves"), solvers=Count("pk"))
    CollectedLevel.objects.filter(pk=level).update(**counted, **by_pushes.aggregate(best_pushes=Min("pushes")))
