"""Past rankings of a level: at any time, and how they developed (rules 7.9, 8.9).

Computed from what counts now: a pending submission appears with its verdict, at its time of receipt; a void one never.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Count, F, Min, Q, QuerySet, Window
from django.db.models.expressions import RowRange
from django.db.models.functions import RowNumber

from contest.infra.cache import remember
from contest.models import Level, Metric, Player, Submission
from contest.models.submission import SubmissionQuerySet
from contest.rankings import pareto, sort_keys
from contest.rankings.sort_keys import KEYS
from contest.rankings.standings import Row, default_league


@dataclass(frozen=True)
class RankChange:
    """From *at* on the player had this rank."""

    at: datetime
    rank: int


def standings_at(
    level: Level, metric: str, at: datetime, *, league: str | None = None, start: int = 0, limit: int = 200
) -> list[Row]:
    """Return the ranking at time *at*, from row *start* on."""
    front = set(pareto.front(_received_by(level, at, league)).values_list("number", flat=True))
    rows = _bests_at(level, metric, at, league)[start : start + limit]
    return [
        Row(rank, row.player, row.moves or 0, row.pushes or 0, row.received_at, row.number, row.number in front)
        for rank, row in enumerate(rows, start + 1)
    ]


def count_at(level: Level, metric: str, at: datetime, *, league: str | None = None) -> int:
    """Return the number of players in the ranking at time *at*."""
    return _bests_at(level, metric, at, league).count()


def progress(level: Level, metric: str, *, league: str | None = None) -> QuerySet[Submission]:
    """Return the submissions that lowered the best count, in order: each was the first with its count (rule 8.9)."""
    return lowering_of(_counted_submissions(level, league), metric)


def lowering_of(submissions: QuerySet[Submission], metric: str) -> QuerySet[Submission]:
    """Return the *submissions* that lowered the best count of their level, in order of arrival."""
    name = Metric(metric).value
    best_before = Window(
        Min(name),
        partition_by=F("level"),
        order_by=[F("received_at").asc(), F("number").asc()],
        frame=RowRange(start=None, end=-1),
    )
    lowering = submissions.annotate(best_before=best_before)
    lowering = lowering.filter(Q(best_before=None) | Q(**{f"{name}__lt": F("best_before")}))
    return lowering.order_by("received_at", "number")


def lowering(level: Level, metric: str, league: str) -> list[Submission]:
    """Return the `progress` of a level as a list, computed once for each version of its board."""

    def make() -> list[Submission]:
        # Select the numbers first, without the displayed columns: the window covers every submission of the level.
        numbers = list(progress(level, metric, league=league).values_list("number", flat=True))
        rows = Submission.objects.filter(number__in=numbers).select_related("player").defer(*pareto.UNLISTED)
        return list(rows.order_by("received_at", "number"))

    return remember(("progress", metric, *_version(level, league)), make)


def _version(level: Level, league: str) -> tuple[object, ...]:
    return level.pk, level.board_version, level.voided_at, league


def rank_changes(level: Level, metric: str, player: Player, *, league: str | None = None) -> list[RankChange]:
    """Return the changes of the player's rank over time, computed once for each version of the board."""
    chosen = league or default_league(level.round)
    key = "rank changes", player.pk, metric, *_version(level, chosen)
    return remember(key, lambda: _rank_changes(level, metric, player, chosen))


def _rank_changes(level: Level, metric: str, player: Player, league: str) -> list[RankChange]:
    """Compute the rank changes. Time O(n log n), and O(n) for each insertion into the sorted list."""
    changes: list[RankChange] = []
    best: dict[int, tuple[object, ...]] = {}
    order: list[tuple[object, ...]] = []
    rows = (
        _counted_submissions(level, league)
        .order_by("received_at", "number")
        .values_list("player", *KEYS[Metric(metric)])
    )
    for sender, *key_ in rows:
        key = tuple(key_)
        known = best.get(sender)
        if known is not None and known <= key:
            continue
        if known is not None:
            del order[bisect_left(order, known)]
        insort(order, key)
        best[sender] = key
        if player.pk in best:
            rank = 1 + bisect_left(order, best[player.pk])
            if not changes or changes[-1].rank != rank:
                changes.append(RankChange(key[2], rank))
    return changes


def ranks_before(submission: Submission, metrics: Iterable[str], *, league: str | None = None) -> dict[str, int | None]:
    """Return the player's rank by each of *metrics* when *submission* came; None without a counted result before it."""
    if submission.level is None:
        return dict.fromkeys(metrics)
    earlier = sort_keys.ahead(("received_at", "number"), partial(getattr, submission))
    among = _counted_submissions(submission.level, league).filter(earlier)
    results = list(among.filter(player=submission.player_id).values(*KEYS[Metric.MOVES]))
    ahead = {metric: Count("player", _ahead(metric, results), distinct=True) for metric in metrics if results}
    counted = among.order_by().aggregate(**{f"by_{metric}": ahead[metric] for metric in ahead}) if ahead else {}
    return {metric: 1 + counted[f"by_{metric}"] if metric in ahead else None for metric in metrics}


def _ahead(metric: str, results: Iterable[Mapping[str, Any]]) -> Q:
    """Return a filter for results ahead of the best of *results* by *metric*."""
    names = KEYS[Metric(metric)]
    held = min(results, key=lambda result: tuple(result[name] for name in names))
    return sort_keys.ahead(names, held.__getitem__)


def _counted_submissions(level: Level, league: str | None) -> SubmissionQuerySet:
    return (
        pareto.counted_submissions(level, league or default_league(level.round)).without_text().select_related("player")
    )


def _received_by(level: Level, at: datetime, league: str | None) -> SubmissionQuerySet:
    return _counted_submissions(level, league).filter(received_at__lte=at)


def _bests_at(level: Level, metric: str, at: datetime, league: str | None) -> QuerySet[Submission]:
    key = [F(name).asc() for name in KEYS[Metric(metric)]]
    place = Window(RowNumber(), partition_by=[F("player")], order_by=key)
    return _received_by(level, at, league).annotate(place=place).filter(place=1).order_by(*key)
