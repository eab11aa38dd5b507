"""Statistics of all rounds together, from publicly listed submissions only (rules 7.1, 7.4).

Each round is counted separately and cached until one of its boards changes.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Min, Q

from contest import visibility
from contest.infra import identity
from contest.infra.cache import cached_parts, remember
from contest.models import Best, Board, League, Level, Metric, Player, Round
from contest.rankings import standings
from contest.stats.statistics import CountryFigures, code_of, in_order
from contest.visibility import Viewer

HARDEST = 20


@dataclass(frozen=True)
class RoundLine:
    """Figures of one round in the list of all rounds."""

    round: Round
    accepted: int = 0
    players: int = 0
    programs: int = 0
    levels: int = 0


@dataclass(frozen=True)
class Hardness:
    """Number of a round's players who solved a level, and the fewest moves and pushes."""

    level: Level
    solvers: int
    entrants: int
    moves: int
    pushes: int

    @property
    def percent(self) -> int:
        return round(100 * self.solvers / self.entrants) if self.entrants else 0


@dataclass(frozen=True)
class YearFigures:
    """Figures of the rounds that close in a year (the site's time zone), latest first.

    *newcomers* entered no round of an earlier year; *countries* are those of the players; *broken* counts the contest
    records of their levels, by moves and by pushes, that were beaten after the close.
    """

    year: int
    rounds: list[RoundLine]
    levels: int
    accepted: int
    players: int
    newcomers: int
    programs: int
    countries: int
    broken: int


@dataclass(frozen=True)
class SiteFigures:
    accepted: int
    players: int
    programs: int
    rounds: list[RoundLine]
    years: list[YearFigures]
    countries: list[CountryFigures]
    hardest: list[Hardness]


class _Entered(NamedTuple):
    """Number of a player's counted submissions in a round."""

    player: int
    accepted: int
    league: str
    country: str


@dataclass
class _Part:
    """Cached figures of one round: its players, and for each solved level and metric the solvers and the best count.

    *later* is the best count after the close, in practice (rule 20.1).
    """

    entered: list[_Entered] = field(default_factory=list)
    solved: dict[int, dict[str, tuple[int, int]]] = field(default_factory=dict)
    later: dict[tuple[int, str], int] = field(default_factory=dict)

    @property
    def broken(self) -> int:
        """Return the number of contest records beaten after the close."""
        return sum(
            least < self.solved[level][metric][1]
            for (level, metric), least in self.later.items()
            if metric in self.solved.get(level, {})
        )


def of_site(viewer: Viewer, at: datetime) -> SiteFigures:
    """Return the figures of all opened rounds. One query if nothing has changed; else recount only changed rounds.

    A periodic task also calls it, which warms the cache after a restart (`count_visitors` in contest.celery.tasks).
    """
    version = standings.version(at)
    versions = {pk: rest for pk, *rest in version}
    return remember(
        ("figures of years with records", identity.zone_key(), version), lambda: _of_site(viewer, at, versions)
    )


def entrants(rounds: Iterable[Round]) -> dict[int, int]:
    """Return the number of players ranked in each of *rounds*, by its key. One query."""
    standing = Best.objects.filter(board=Board.CONTEST, level__round__in=list(rounds), level__voided_at=None)
    counted = standing.order_by().values("level__round").annotate(players=Count("player", distinct=True))
    return dict(counted.values_list("level__round", "players"))


def _of_site(viewer: Viewer, at: datetime, versions: Mapping[Any, object]) -> SiteFigures:
    # An aggregate query has no default order.
    rounds = list(visibility.opened_rounds(viewer, at).annotate(level_count=Count("levels")).order_by("-number"))
    keys = {row.pk: ("figures of one round with records", row.pk, versions.get(row.pk)) for row in rounds}
    parts = cached_parts(keys, lambda missing: _parts(viewer, at, missing))
    sent = [row for round_ in rounds for row in parts[round_.pk].entered]
    return SiteFigures(
        accepted=sum(row.accepted for row in sent),
        players=len({row.player for row in sent}),
        programs=_programs(sent),
        rounds=[_round_line(round_, parts[round_.pk].entered) for round_ in rounds],
        years=_years(rounds, parts),
        countries=_countries(sent),
        hardest=_hardest(viewer, at, parts),
    )


def _parts(viewer: Viewer, at: datetime, rounds: Collection[int]) -> dict[int, _Part]:
    """Return the parts of the rounds with these keys, in three queries."""
    counted = visibility.counted_submissions(viewer, at).filter(level__voided_at=None, round__in=rounds).order_by()
    # One row for each player of a round: the several counts of players are computed here, not by more queries.
    rows = list(
        counted.values("round", "player").annotate(accepted=Count("pk")).values_list("round", "player", "accepted")
    )
    named = {player for _round, player, _accepted in rows}
    # in_bulk splits the query: there may be more players than one statement has parameters.
    players = Player.objects.only("league", "country").in_bulk(named)
    parts = {pk: _Part() for pk in rounds}
    for round_, player, accepted in rows:
        of_player = players[player]
        parts[round_].entered.append(_Entered(player, accepted, of_player.league, of_player.country))
    later = Q(board=Board.PRACTICE, level__voided_at=None)
    standing = Best.objects.filter(Q(board=Board.CONTEST) | later, level__round__in=rounds).order_by()
    for board, round_, level, metric, solvers, least in (
        standing.values("board", "level__round", "level", "metric")
        .annotate(solvers=Count("pk"), least=Min("first"))
        .values_list("board", "level__round", "level", "metric", "solvers", "least")
    ):
        if board == Board.CONTEST:
            parts[round_].solved.setdefault(level, {})[metric] = solvers, least
        else:
            parts[round_].later[level, metric] = least
    return parts


def _round_line(round_: Round, entered: Sequence[_Entered]) -> RoundLine:
    accepted, levels = sum(row.accepted for row in entered), vars(round_)["level_count"]
    return RoundLine(round_, accepted, len(entered), _programs(entered), levels)


def _years(rounds: Sequence[Round], parts: Mapping[int, _Part]) -> list[YearFigures]:
    """Return the figures of each year, latest first."""
    of_year: dict[int, list[Round]] = defaultdict(list)
    for round_ in rounds:
        of_year[round_.closes_at.astimezone(identity.zone()).year].append(round_)
    before: set[int] = set()
    years = []
    for year, own in sorted(of_year.items()):
        sent = [row for round_ in own for row in parts[round_.pk].entered]
        players = {row.player for row in sent}
        lines = [_round_line(round_, parts[round_.pk].entered) for round_ in own]
        years.append(
            YearFigures(
                year,
                lines,
                sum(line.levels for line in lines),
                sum(row.accepted for row in sent),
                len(players),
                len(players - before),
                _programs(sent),
                len({code for row in sent if (code := code_of(row.country))}),
                sum(parts[round_.pk].broken for round_ in own),
            )
        )
        before |= players
    return years[::-1]


def _programs(entered: Iterable[_Entered]) -> int:
    return len({row.player for row in entered if row.league == League.BOT})


def _countries(entered: Iterable[_Entered]) -> list[CountryFigures]:
    tallies: dict[str, tuple[set[int], Counter[str]]] = defaultdict(lambda: (set(), Counter()))
    for row in entered:
        players, counts = tallies[code_of(row.country)]
        players.add(row.player)
        counts["accepted"] += row.accepted
    return in_order(
        CountryFigures(code, len(players), counts["accepted"]) for code, (players, counts) in tallies.items()
    )


def _hardest(viewer: Viewer, at: datetime, parts: Mapping[int, _Part]) -> list[Hardness]:
    """Return the levels of closed rounds solved by the smallest share of their players; ties by more moves."""
    least = {level: rest for part in parts.values() for level, rest in part.solved.items()}
    levels = visibility.levels(viewer, at).filter(round__in=visibility.practice_rounds(at), voided_at=None)
    solved = [
        Hardness(
            level,
            least[level.pk][Metric.MOVES][0],
            len(parts[level.round_id].entered),
            least[level.pk][Metric.MOVES][1],
            least[level.pk][Metric.PUSHES][1],
        )
        for level in levels
        if level.pk in least
    ]
    return sorted(solved, key=lambda line: (line.percent, -line.moves, -line.level.round.number))[:HARDEST]
