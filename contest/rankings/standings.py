"""Current rankings (rule 8): two per level, read from the best rows in the order of `Best.KEY`."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from contest.infra.cache import remember
from contest.models import Best, Board, League, Level, Metric, Player, Round, Submission
from contest.rankings import pareto
from contest.rankings.pareto import ALL_TIME, EVERYONE
from contest.rankings.sort_keys import ahead

LEAGUES = (*League.values, EVERYONE)
BOARDS = (Board.CONTEST.value, Board.SPECTATOR.value, ALL_TIME)
# A solution counts wherever it was found; a spectator answer is not a solution (rule 20.1).
SOLVED_ON = (Board.CONTEST, Board.PRACTICE)
T = TypeVar("T")
_FAR = 5_000  # rows that the database skips in a millisecond or two


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
    is_practice: bool = False


@dataclass(frozen=True)
class NextRank:
    """Two ways up: *fewer* by the ranking's count gains *rank*; *first* and at most *second* gain *rank_by_second*."""

    rank: int
    fewer: int
    rank_by_second: int
    first: int
    second: int


def default_league(round_: Round) -> str:
    """Return the league of the ranking shown by default (rule 16.4)."""
    return EVERYONE if round_.ranks_together else League.HUMAN


def league_of(player: Player, round_: Round) -> str:
    """Return the league of the ranking that contains *player* (rule 16.4)."""
    return EVERYONE if round_.ranks_together else player.league


def boards(level: Level) -> list[str]:
    """Return the boards of *level*, the contest's first (rules 13.2, 20.1)."""
    return [board for board in BOARDS if board != Board.SPECTATOR or level.round.takes_spectators]


def standings(
    level: Level,
    metric: str,
    *,
    league: str | None = None,
    board: str = Board.CONTEST,
    start: int = 0,
    limit: int = 200,
) -> list[Row]:
    """Return the ranking of *level* by *metric* from row *start* on (rules 8.1 to 8.5).

    *league* is one of LEAGUES, by default the round's; *board* one of BOARDS. A void level has no rows (rule 2.10).
    """
    front = front_numbers(level, league or default_league(level.round), board)
    bests = _page(level, metric, league, board, start, limit)
    return [
        Row(
            rank,
            best.player,
            best.moves,
            best.pushes,
            best.received_at,
            best.submission_id,
            best.submission_id in front,
            best.board == Board.PRACTICE,
        )
        for rank, best in enumerate(bests, start + 1)
    ]


def front_numbers(level: Level, league: str, board: str) -> set[int]:
    """Return the numbers of the submissions on the front, once for each version of the board."""
    return _remember_fact("front", level, league, board, lambda: pareto.numbers(level, league, board))


def all_time(level: Level, metric: str) -> list[Row]:
    """Return contest and practice together, people and programs (rule 20.1); once for each version of the board."""

    def make() -> list[Row]:
        rows = standings(level, metric, league=EVERYONE, board=ALL_TIME)
        for row in rows:
            row.player.for_keeping()
        return rows

    return _remember_fact(f"all time by {metric}", level, EVERYONE, ALL_TIME, make)


def count(level: Level, metric: str, *, league: str | None = None, board: str = Board.CONTEST) -> int:
    """Return the number of players in the ranking."""
    return _ladder(level, metric, league, board).total


def _remember_fact(fact: str, level: Level, league: str, board: str, make: Callable[[], T]) -> T:
    """Cache a fact of a board for each version; `voided_at` is part of the key, as void levels rank nobody (2.10)."""
    version = level.pk, level.board_version, level.voided_at, league, board
    return remember((fact, *version), make)


def versions(levels: Iterable[Level]) -> list[tuple[object, ...]]:
    """Return the cache version of every list of *levels*."""
    return sorted((level.pk, level.board_version, level.voided_at) for level in levels)


def version(at: datetime) -> list[tuple[object, ...]]:
    """Return the cache version of sums over all boards: board versions, phases and titles of rounds.

    Publishing results raises the board versions too. One query.
    """
    announced = Round.objects.announced(at).defer("settings").order_by("pk")
    rounds: QuerySet[Any] = announced.annotate(boards=Sum("levels__board_version"))
    return [
        (round_.pk, round_.boards, str(round_.phase(at)), round_.reveals_at <= at, round_.title_zh, round_.title_en)
        for round_ in rounds
    ]


@dataclass(frozen=True)
class Ladder:
    """Number of rows of a ranking by count; *before* has one entry more than *counts*."""

    counts: list[int]
    before: list[int]

    @property
    def total(self) -> int:
        return self.before[-1]

    def below(self, count: int) -> int:
        """Return the number of rows with less than *count*."""
        return self.before[bisect_left(self.counts, count)]


def _ladder(level: Level, metric: str, league: str | None, board: str) -> Ladder:
    """Return the ladder, built in O(rows) once for each board version; a rank then counts only rows of equal count."""

    def make() -> Ladder:
        firsts = best_rows(level, metric, league, board).order_by("first").values_list("first")
        counted = list(firsts.annotate(rows=Count("pk")))
        return Ladder([first for first, _rows in counted], [0, *accumulate(rows for _first, rows in counted)])

    return _remember_fact(f"ladder by {metric}", level, league or default_league(level.round), board, make)


def _page(level: Level, metric: str, league: str | None, board: str, start: int, limit: int) -> QuerySet[Best]:
    """Return the rows from *start* on, without skipping all rows before them."""
    bests = best_rows(level, metric, league, board)
    skipped = 0
    if start >= _FAR:
        ladder = _ladder(level, metric, league, board)
        rung = bisect_right(ladder.before, start) - 1
        if rung == len(ladder.counts):
            return bests.none()
        bests, skipped = bests.filter(first__gte=ladder.counts[rung]), ladder.before[rung]
    if start == 0:
        return bests.select_related("player")[:limit]
    # First select keys from the index alone; then the rows with their players.
    chosen = list(bests.values_list("submission_id", flat=True)[start - skipped : start - skipped + limit])
    return bests.filter(submission_id__in=chosen).select_related("player")


def best_rows(level: Level, metric: str, league: str | None = None, board: str = Board.CONTEST) -> QuerySet[Best]:
    """Return the best rows of a ranking in order (rule 8.4): one per player."""
    bests = Best.objects.filter(level=level, metric=metric).order_by(*Best.KEY)
    if level.voided_at:
        return bests.none()
    league = league or default_league(level.round)
    if league != EVERYONE:
        bests = bests.filter(league=league)
    if board != ALL_TIME:
        return bests.filter(board=board)
    # Rule 20.1: contest and practice together, each player by the better of the two.
    solved = bests.filter(board__in=SOLVED_ON)
    better = solved.order_by().filter(ahead(Best.KEY, OuterRef), player=OuterRef("player"))
    return solved.exclude(Exists(better))


def ranks(submission: Submission) -> dict[str, int | None]:
    """Return the submission's ranks, None where its player has a better one; practice ranks in all time."""
    held: dict[str, int | None] = {metric.value: None for metric in Metric}
    bests = list(Best.objects.filter(submission=submission).select_related("level__round", "player"))
    if not bests:
        return held
    best = bests[0]  # The two differ only in their metric.
    board = ALL_TIME if best.board == Board.PRACTICE else best.board
    league = league_of(best.player, best.level.round)
    ranked = [best for best in bests if _has_rank(best, league, board)]
    return held | _ranks(ranked, best.level, league, board)


def _has_rank(best: Best, league: str, board: str) -> bool:
    """Return whether *best* has a rank in its player's own ranking; in all time only the better of two rows has one."""
    if best.level.voided_at or board != ALL_TIME:
        return not best.level.voided_at
    return best_rows(best.level, best.metric, league, board).filter(pk=best.pk).exists()


def rank_of(
    level: Level, metric: str, player: Player, league: str | None = None, board: str = Board.CONTEST
) -> int | None:
    """Return the player's rank, None without a counted result."""
    among = best_rows(level, metric, league, board)
    best = among.filter(player=player).first()
    return _rank(best, level, league, board) if best else None


def own_ranks(
    level: Level, metric: str, players: Collection[int], *, league: str | None, board: str, most: int
) -> list[tuple[Player, int]]:
    """Return up to *most* of *players* in a ranking, best first, each with the rank."""
    if not players:
        return []
    own_rows = best_rows(level, metric, league, board).filter(player__in=players).select_related("player")[:most]
    return [(best.player, _rank(best, level, league, board)) for best in own_rows]


def rows_around(
    level: Level,
    metric: str,
    player: Player,
    *,
    league: str | None = None,
    board: str = Board.CONTEST,
    reach: int = 2,
    rank: int | None = None,
) -> list[Row]:
    """Return the player's row with *reach* rows before and after it; an empty list without a counted result.

    *rank* is the player's, if the caller knows it.
    """
    rank = rank or rank_of(level, metric, player, league, board)
    if rank is None:
        return []
    start = max(0, rank - 1 - reach)
    return standings(level, metric, league=league, board=board, start=start, limit=rank + reach - start)


def predict_rank(
    level: Level, metric: str, moves: int, pushes: int, *, player: Player | None = None, league: str | None = None
) -> int:
    """Return the rank of a result with these counts if it was sent now (rule 7.7: from public numbers only).

    A worse result of *player* changes nothing (rule 5.7).
    """
    first, second = (moves, pushes) if metric == Metric.MOVES else (pushes, moves)
    among = best_rows(level, metric, league)
    # Equal results came earlier and rank before it (rule 3.9).
    as_good = Q(first__lt=first) | Q(first=first, second__lte=second)
    own = among.filter(as_good, player=player).first() if player else None
    if own:
        return _rank(own, level, league, Board.CONTEST)
    equal = among.filter(first=first, second__lte=second).count()
    return 1 + _ladder(level, metric, league, Board.CONTEST).below(first) + equal


def numbers(level: Level, metric: str, *, board: str = Board.CONTEST, limit: int = 2_000) -> list[tuple[int, int, str]]:
    """Return moves, pushes and nickname of everybody in the ranking, from which a page previews a rank (rule 7.7)."""
    rows = best_rows(level, metric, board=board).values_list("first", "second", "player__nickname")[:limit]
    by_moves = metric == Metric.MOVES
    return [(first, second, name) if by_moves else (second, first, name) for first, second, name in rows]


def next_gain(
    level: Level,
    metric: str,
    player: Player,
    rows: Sequence[Row],
    *,
    league: str | None = None,
    board: str = Board.CONTEST,
) -> NextRank | None:
    """Return what *player* needs to gain a rank, from *rows* of `rows_around` (rule 7.7), if there is one."""
    pair = next((pair for pair in pairwise(rows) if pair[1].player == player), None)
    if pair is None:
        return None
    (first, second), (own, _other) = ((row.moves, row.pushes)[:: 1 if metric == Metric.MOVES else -1] for row in pair)
    # All rows that equal the row above in the first count are passed with it.
    better = _ladder(level, metric, league, board).below(first)
    equal = best_rows(level, metric, league, board).filter(first=first, second__lt=second).count()
    return NextRank(1 + better, own - first + 1, 1 + better + equal, first, second - 1)


def _rank(best: Best, level: Level, league: str | None, board: str) -> int:
    return _ranks([best], level, league, board)[best.metric]


def _ranks(bests: Sequence[Best], level: Level, league: str | None, board: str) -> dict[str, int]:
    """Return the ranks of *bests* in these rankings of *level*, by metric. One query, and the ladders."""
    earlier: list[QuerySet[Any]] = [
        best_rows(level, best.metric, league, board)
        .order_by()
        .filter(ahead(Best.KEY, partial(getattr, best)), first=best.first)
        .values_list("metric")
        .annotate(rows=Count("pk"))
        for best in bests
    ]
    counted = dict(earlier[0].union(*earlier[1:], all=True)) if earlier else {}
    return {
        best.metric: 1 + _ladder(level, best.metric, league, board).below(best.first) + counted.get(best.metric, 0)
        for best in bests
    }
