"""The rankings of a level as they were: at any moment, and how they came to be (rules 7.9, 8.9).

Made of what counts now: a pending submission appears with its verdict, at its time of receipt; a void one never was.
"""

from bisect import bisect_left, insort
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Min, Q, QuerySet, Window
from django.db.models.expressions import RowRange
from django.db.models.functions import RowNumber

from contest import pareto
from contest.models import Level, Metric, Player, Submission
from contest.models.submission import SubmissionQuerySet
from contest.standings import Row, default_league

_KEYS = {
    Metric.MOVES: ("moves", "pushes", "received_at", "number"),
    Metric.PUSHES: ("pushes", "moves", "received_at", "number"),
}


@dataclass(frozen=True)
class RankChange:
    """From *at* on the player had this rank."""

    at: datetime
    rank: int


def standings_at(
    level: Level, metric: str, at: datetime, *, league: str | None = None, start: int = 0, limit: int = 200
) -> list[Row]:
    """The ranking as it stood at instant *at*, from place *start* on."""
    front = set(pareto.front(_received(level, at, league)).values_list("number", flat=True))
    rows = _bests_at(level, metric, at, league)[start : start + limit]
    return [
        Row(rank, row.player, row.moves or 0, row.pushes or 0, row.received_at, row.number, row.number in front)
        for rank, row in enumerate(rows, start + 1)
    ]


def count_at(level: Level, metric: str, at: datetime, *, league: str | None = None) -> int:
    """How many players the ranking had at instant *at*."""
    return _bests_at(level, metric, at, league).count()


def progress(level: Level, metric: str, *, league: str | None = None) -> QuerySet[Submission]:
    """The submissions that lowered the best count, as they came: each was the first to reach its count (rule 8.9)."""
    name = Metric(metric).value
    best_before = Window(
        Min(name), order_by=[F("received_at").asc(), F("number").asc()], frame=RowRange(start=None, end=-1)
    )
    lowering = _counted(level, league).annotate(best_before=best_before)
    lowering = lowering.filter(Q(best_before=None) | Q(**{f"{name}__lt": F("best_before")}))
    return lowering.order_by("received_at", "number")


def rank_changes(level: Level, metric: str, player: Player, *, league: str | None = None) -> list[RankChange]:
    """The player's rank over time, an entry where it changed. Time O(n log n), and O(n) to make room in the order."""
    changes: list[RankChange] = []
    best: dict[int, tuple[object, ...]] = {}
    order: list[tuple[object, ...]] = []
    rows = _counted(level, league).order_by("received_at", "number").values_list("player", *_KEYS[Metric(metric)])
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


def rank_before(submission: Submission, metric: str, *, league: str | None = None) -> int | None:
    """The rank its player held when *submission* came; None without a counted result then."""
    if submission.level is None:
        return None
    earlier = Q(received_at__lt=submission.received_at) | Q(
        received_at=submission.received_at, number__lt=submission.number
    )
    among = _counted(submission.level, league).filter(earlier)
    names = _KEYS[Metric(metric)]
    held = among.filter(player=submission.player_id).order_by(*names).values_list(*names).first()
    if held is None:
        return None
    ahead = Q()
    for place, name in enumerate(names):
        ahead |= Q(**dict(zip(names[:place], held, strict=False)), **{f"{name}__lt": held[place]})
    return 1 + among.filter(ahead).order_by().values("player").distinct().count()


def _counted(level: Level, league: str | None) -> SubmissionQuerySet:
    return pareto.counted(level, league or default_league(level.round)).without_text().select_related("player")


def _received(level: Level, at: datetime, league: str | None) -> SubmissionQuerySet:
    return _counted(level, league).filter(received_at__lte=at)


def _bests_at(level: Level, metric: str, at: datetime, league: str | None) -> QuerySet[Submission]:
    key = [F(name).asc() for name in _KEYS[Metric(metric)]]
    place = Window(RowNumber(), partition_by=[F("player")], order_by=key)
    return _received(level, at, league).annotate(place=place).filter(place=1).order_by(*key)
