"""The only ranking (rule 8): two per level, read from the best rows in the order of their keys."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from contest.models import Best, League, Level, Metric, Player, Submission


@dataclass(frozen=True)
class Row:
    """One line of a ranking."""

    rank: int
    player: Player
    moves: int
    pushes: int
    received_at: datetime
    number: int
    pareto: bool


def standings(level: Level, metric: str, *, league: str = League.HUMAN, start: int = 0, limit: int = 200) -> list[Row]:
    """The ranking of *level* by *metric* from place *start* on (rules 8.1 to 8.5)."""
    front = _pareto_front(level, league)
    bests = _ranked(level, metric, league).select_related("player")[start : start + limit]
    return [
        Row(
            rank,
            best.player,
            best.moves,
            best.pushes,
            best.received_at,
            best.submission_id,
            best.submission_id in front,
        )
        for rank, best in enumerate(bests, start + 1)
    ]


def count(level: Level, metric: str, *, league: str = League.HUMAN) -> int:
    """How many players the ranking has."""
    return _ranked(level, metric, league).count()


def ranks(submission: Submission) -> dict[str, int | None]:
    """The ranks this submission holds, or None where its player has a better one."""
    return {metric.value: _rank(submission, metric) for metric in Metric}


def _rank(submission: Submission, metric: Metric) -> int | None:
    best = Best.objects.filter(submission=submission, metric=metric).select_related("level", "player").first()
    if not best:
        return None
    key = [getattr(best, name) for name in Best.KEY]
    better = Q()
    for place, name in enumerate(Best.KEY):
        equal = dict(zip(Best.KEY[:place], key, strict=False))
        better |= Q(**equal, **{f"{name}__lt": key[place]})
    return 1 + _ranked(best.level, metric, best.player.league).filter(better).count()


def _ranked(level: Level, metric: str, league: str) -> QuerySet[Best]:
    return Best.objects.filter(level=level, metric=metric, player__league=league).order_by(*Best.KEY)


def _pareto_front(level: Level, league: str) -> set[int]:
    """Rule 12.1: submissions nobody equals or beats in both counts; of equal ones the earliest (rule 12.2).

    Read along the move ranking, a result is on the front when it needs fewer pushes than all before it.
    """
    bests = Best.objects.filter(level=level, player__league=league)
    counts = [(best.moves, best.pushes, best.received_at, best.submission_id) for best in bests]
    front: set[int] = set()
    fewest_pushes: int | None = None
    for _moves, pushes, _received_at, number in sorted(counts):
        if fewest_pushes is None or pushes < fewest_pushes:
            fewest_pushes = pushes
            front.add(number)
    return front
