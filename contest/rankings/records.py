"""Records of levels over contest and practice (rule 20.1), a player's best places, and counts reached first.

*levels* are those that the caller may show, without void ones.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from contest.infra.cache import remember
from contest.models import Best, Board, Level, Metric, Player, Submission
from contest.rankings import sort_keys, standings, tops


@dataclass(frozen=True)
class Record:
    """Fewest moves or pushes by which a level was solved, and the player who did it first."""

    player: Player
    moves: int
    pushes: int
    received_at: datetime
    is_practice: bool
    number: int


@dataclass(frozen=True)
class LevelRecords:
    level: Level
    by_moves: Record | None
    by_pushes: Record | None


def of_levels(shown: Iterable[Level]) -> list[LevelRecords]:
    """Return the records of the levels *shown*, which the caller may display. One query while no board changes."""
    listed = list(shown)
    records = remember(("records", standings.versions(listed)), lambda: _records(listed))
    return [
        LevelRecords(level, *(records.get((level.pk, metric)) for metric in (Metric.MOVES, Metric.PUSHES)))
        for level in listed
    ]


def _records(levels: list[Level]) -> dict[tuple[int, str], Record]:
    chosen = Level.objects.filter(pk__in=[level.pk for level in levels]).order_by()
    firsts = [tops.row_at(0, metric, board) for metric in Metric.values for board in standings.SOLVED_ON]
    query, *other_queries = (chosen.values_list(first) for first in firsts)
    records: dict[tuple[int, str], Record] = {}
    for best in Best.objects.filter(pk__in=query.union(*other_queries)).select_related("player").order_by(*Best.KEY):
        records.setdefault((best.level_id, best.metric), _record(best))
    return records


def _record(best: Best) -> Record:
    is_practice = best.board == Board.PRACTICE
    return Record(best.player.for_keeping(), best.moves, best.pushes, best.received_at, is_practice, best.submission_id)


@dataclass(frozen=True)
class Place:
    """A player's ranks on a contest level, in the player's own ranking (rule 16.4)."""

    level: Level
    by_moves: int
    by_pushes: int


def best_places(levels: QuerySet[Level], player: Player) -> list[Place]:
    """Return the ranks of *player* on *levels*, best first, later rounds first. One query."""
    own = Best.objects.filter(player=player, level__in=levels, board=Board.CONTEST)
    known: dict[int, Level] = {}
    ranks: dict[int, dict[str, int]] = defaultdict(dict)
    for best in own.annotate(ahead=_ahead(player)).select_related("level__round").defer("level__solution"):
        known[best.level_id] = best.level
        ranks[best.level_id][best.metric] = 1 + best.ahead
    places = [Place(known[pk], of[Metric.MOVES], of[Metric.PUSHES]) for pk, of in ranks.items()]
    return sorted(places, key=lambda place: (*sorted((place.by_moves, place.by_pushes)), -place.level.round.number))


def _ahead(player: Player) -> Coalesce:
    """Return the number of rows ahead of a best row of *player* in its ranking (rules 8.4, 16.4)."""
    rivals = Q(league=player.league) | Q(level__round__settings__leagues="together")
    better = Best.objects.filter(
        rivals,
        sort_keys.ahead(Best.KEY, OuterRef),
        level=OuterRef("level"),
        board=OuterRef("board"),
        metric=OuterRef("metric"),
        first__lte=OuterRef("first"),  # ends the index scan
    )
    return Coalesce(Subquery(better.order_by().values("metric").annotate(rows=Count("pk")).values("rows")), 0)


@dataclass(frozen=True)
class First:
    """A current best count that the player reached first (rule 8.9)."""

    level: Level
    metric: str
    count: int
    number: int
    received_at: datetime


def firsts(levels: QuerySet[Level], player: Player, *, most: int) -> list[First]:
    """Return the best counts of *levels* that *player* was the first to reach, latest round first. One query."""
    counted = Submission.objects.counted().without_text()
    rivals = counted.order_by().filter(
        Q(player__league=player.league) | Q(round__settings__leagues="together"), level=OuterRef("level")
    )
    first = {
        f"is_first_by_{name}": ~Exists(rivals.filter(sort_keys.ahead((name, "received_at", "number"), OuterRef)))
        for name in Metric.values
    }
    own: QuerySet[Any] = counted.of(player).filter(level__in=levels).annotate(**first)
    own = own.filter(Q(is_first_by_moves=True) | Q(is_first_by_pushes=True)).select_related("level__round")
    first_records = [
        First(submission.level, name, getattr(submission, name), submission.number, submission.received_at)
        for name in Metric.values
        for submission in own
        if getattr(submission, f"is_first_by_{name}")
    ]
    return sorted(first_records, key=lambda submission: (-submission.level.round.number, submission.level.slot_order))[
        :most
    ]
