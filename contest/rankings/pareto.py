"""Pareto front of a level: results undominated in moves and pushes; of equal ones, the first (rule 12)."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet, Window
from django.db.models.expressions import RowRange

from contest.infra.cache import remember
from contest.models import Board, Level, Metric, Player, Submission
from contest.models.level import by_slot
from contest.models.submission import SubmissionQuerySet
from contest.rankings.sort_keys import KEYS, ahead

# In addition to the stored leagues and boards: humans and bots together; contest and practice together.
EVERYONE = "all"
ALL_TIME = "all_time"

# Long or private columns of submissions and players, excluded from cached lists.
UNLISTED = ("text", "lurd", "turned", "receipt_id", "sha256", "player__email", "player__claim_sha256")


@dataclass(frozen=True)
class Point:
    """Point of the front: the submission that holds it, and each other player's first submission that equals it."""

    holder: Submission
    equalled: list[Submission] = field(default_factory=list)


def counted_submissions(level: Level, league: str, board: str = Board.CONTEST) -> SubmissionQuerySet:
    """Return the submissions that count in a ranking of *level*; none if the level is void (rules 1.7, 2.10, 20.1)."""
    submissions = Submission.objects.filter(level=level)
    if level.voided_at:
        return submissions.none()
    if league != EVERYONE:
        submissions = submissions.filter(player__league=league)
    if board == ALL_TIME:
        return submissions.counted() | submissions.practised()
    return submissions.counted()


def front(submissions: SubmissionQuerySet) -> QuerySet[Submission]:
    """Return those of *submissions* on the front of their level, fewest moves first (rules 12.1, 12.2).

    In the order of the move ranking, a result is on the front if it needs fewer pushes than all before it.
    """
    fewest_before = Window(
        Min("pushes"),
        partition_by=F("level"),
        order_by=[F(name).asc() for name in KEYS[Metric.MOVES]],
        frame=RowRange(start=None, end=-1),
    )
    along = submissions.annotate(fewest_before=fewest_before)
    return along.filter(Q(fewest_before=None) | Q(pushes__lt=F("fewest_before"))).order_by("moves")


def holdings(levels: QuerySet[Level], player: Player) -> QuerySet[Submission]:
    """Return the points of the fronts of *levels* that *player* holds now (rules 12.1, 12.2), latest round first."""
    counted = Submission.objects.counted().without_text()
    at_least_as_good = counted.order_by().filter(
        Q(moves__lt=OuterRef("moves"), pushes__lte=OuterRef("pushes"))
        | Q(moves__lte=OuterRef("moves"), pushes__lt=OuterRef("pushes"))
        | Q(ahead(("received_at", "number"), OuterRef), moves=OuterRef("moves"), pushes=OuterRef("pushes")),
        Q(player__league=player.league) | Q(round__settings__leagues="together"),
        level=OuterRef("level"),
    )
    own = counted.of(player).filter(level__in=levels).select_related("level__round")
    return own.exclude(Exists(at_least_as_good)).order_by("-round__number", *by_slot("level__"), "moves")


def numbers(level: Level, league: str, board: str = Board.CONTEST) -> set[int]:
    """Return the numbers of the submissions on the front of a ranking; none for spectator answers."""
    if board == Board.SPECTATOR:
        return set()
    if board == ALL_TIME:  # The page of a revealed level shows the points too.
        return {point.holder.pk for point in points(level, league, board)}
    return set(front(counted_submissions(level, league, board)).values_list("number", flat=True))


def others(level: Level, league: str, board: str = Board.CONTEST) -> list[tuple[int, int, int]]:
    """Return distinct (moves, pushes, player) of all counted results, as the background of a chart of the front.

    The worst tenth by either count is left out, as it would squeeze all others into a corner. One query, and none while
    the board has not changed.
    """
    key = "all counts", level.pk, level.board_version, level.voided_at, league, board
    return remember(key, lambda: _without_the_worst(counted_submissions(level, league, board)))


def _without_the_worst(submissions: SubmissionQuerySet) -> list[tuple[int, int, int]]:
    rows: QuerySet[Any] = submissions.order_by().values_list("moves", "pushes", "player").distinct()
    all_rows: list[tuple[int, int, int]] = list(rows)
    if not all_rows:
        return []
    last = len(all_rows) * 9 // 10
    most_moves, most_pushes = (sorted(row[place] for row in all_rows)[last] for place in (0, 1))
    return [row for row in all_rows if row[0] <= most_moves and row[1] <= most_pushes]


def points(level: Level, league: str, board: str = Board.CONTEST) -> list[Point]:
    """Return the front with later submissions that equal its points (rule 12.2), once for each version of the board."""
    key = "points", level.pk, level.board_version, level.voided_at, league, board
    return remember(key, lambda: _points(level, league, board))


def _points(level: Level, league: str, board: str) -> list[Point]:
    every = counted_submissions(level, league, board).select_related("player").defer(*UNLISTED)
    holders: dict[tuple[object, object], Submission] = {}
    equalled: dict[tuple[object, object], dict[int, Submission]] = defaultdict(dict)
    for submission in _undominated(every).order_by("moves", "received_at", "number"):
        counts = submission.moves, submission.pushes
        holder = holders.setdefault(counts, submission)
        if submission.player_id != holder.player_id:
            equalled[counts].setdefault(submission.player_id, submission)
    return [Point(holder, list(equalled[counts].values())) for counts, holder in holders.items()]


def _undominated(submissions: SubmissionQuerySet) -> QuerySet[Submission]:
    """Return all of *submissions* whose counts are on the front: equal ones too, unlike `front`."""
    fewest_moves = Window(Min("moves"), partition_by=F("level"), order_by="pushes")
    fewest_pushes = Window(Min("pushes"), partition_by=F("level"), order_by="moves")
    along = submissions.annotate(fewest_moves=fewest_moves, fewest_pushes=fewest_pushes)
    return along.filter(moves=F("fewest_moves"), pushes=F("fewest_pushes"))
