"""What a round, and all rounds together, come to in counts: made of what everybody may list (rules 7.1, 7.4)."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from statistics import median_low

from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django_countries import countries as known_countries

from contest import standings, visibility
from contest.cached import cached
from contest.models import Best, Board, League, Level, Metric, Player, Round
from contest.visibility import Viewer

MOST_BINS = 12
MOST_DAYS = 120
HARDEST = 20


@dataclass(frozen=True)
class Day:
    """A day in Beijing time."""

    day: date
    accepted: int
    players: int


@dataclass(frozen=True)
class Milestone:
    """From *at* on *count* was the best; *player* reached it first (rule 8.9)."""

    at: datetime
    count: int
    player: Player


@dataclass(frozen=True)
class Bin:
    """So many players need from *least* to *most*."""

    least: int
    most: int
    players: int


@dataclass(frozen=True)
class Spread:
    """How the bests of the players of a level are spread."""

    metric: str
    players: int
    best: int
    median: int
    worst: int
    bins: list[Bin]


@dataclass(frozen=True)
class LevelFigures:
    level: Level
    accepted: int
    players: int
    spreads: list[Spread]
    milestones: list[tuple[str, list[Milestone]]]


@dataclass(frozen=True)
class CountryFigures:
    """*code* is empty for those who gave none (rule 4.6)."""

    code: str
    players: int
    accepted: int

    @property
    def name(self) -> str:
        return str(known_countries.name(self.code) or self.code) if self.code else _("not given")


@dataclass(frozen=True)
class RoundFigures:
    accepted: int
    players: int
    programs: int
    days: list[Day]
    levels: list[LevelFigures]
    countries: list[CountryFigures]


@dataclass(frozen=True)
class RoundLine:
    """A round among all rounds."""

    round: Round
    accepted: int = 0
    players: int = 0
    programs: int = 0


@dataclass(frozen=True)
class Hardness:
    """How many of a round's players solved a level, and with how little."""

    level: Level
    solvers: int
    entrants: int
    moves: int
    pushes: int

    @property
    def percent(self) -> int:
        return round(100 * self.solvers / self.entrants) if self.entrants else 0


@dataclass(frozen=True)
class SiteFigures:
    accepted: int
    players: int
    programs: int
    rounds: list[RoundLine]
    countries: list[CountryFigures]
    hardest: list[Hardness]


@dataclass(frozen=True)
class _Sent:
    """A submission that counts, without its moves."""

    level: int
    player: int
    country: str
    league: str
    at: datetime
    moves: int
    pushes: int

    def count(self, metric: str) -> int:
        return self.moves if metric == Metric.MOVES else self.pushes


@dataclass
class _Tally:
    accepted: int = 0
    players: set[int] = field(default_factory=set)

    def add(self, sent: _Sent) -> None:
        self.accepted += 1
        self.players.add(sent.player)


def of_round(viewer: Viewer, round_: Round, at: datetime) -> RoundFigures:
    """What counts in *round_*, of levels that are not void. Three queries; one while no board changes."""
    public = visibility.levels(viewer, at).filter(round=round_, voided_at=None)
    levels = sorted(public, key=lambda level: (level.slot != "main", level.slot))
    version = [(level.pk, level.board_version) for level in levels]
    return cached(("figures of a round", round_.pk, round_.ranks_together, version), lambda: _of_round(levels, at))


def _of_round(levels: Sequence[Level], at: datetime) -> RoundFigures:
    counted = visibility.counted(Viewer(), at).filter(level__in=levels).order_by("received_at", "number")
    names = ("level_id", "player_id", "player__country", "player__league", "received_at", "moves", "pushes")
    sent = [_Sent(*row) for row in counted.values_list(*names)]
    lowering = {(level.pk, metric): _lowering(level, metric, sent) for level in levels for metric in Metric}
    players = Player.objects.defer("email", "claim_sha256").in_bulk(
        {one.player for found in lowering.values() for one in found}
    )
    milestones = {
        key: [Milestone(one.at, one.count(key[1]), players[one.player]) for one in found]
        for key, found in lowering.items()
    }
    return RoundFigures(
        accepted=len(sent),
        players=len({one.player for one in sent}),
        programs=len({one.player for one in sent if one.league == League.BOT}),
        days=_days(sent),
        levels=[_of_level(level, sent, milestones) for level in levels],
        countries=_countries(sent),
    )


def _of_level(
    level: Level, sent: Iterable[_Sent], milestones: dict[tuple[int, Metric], list[Milestone]]
) -> LevelFigures:
    own = [one for one in sent if one.level == level.pk]
    return LevelFigures(
        level,
        len(own),
        len({one.player for one in own}),
        [found for metric in Metric if (found := spread(metric, _bests(level, metric, own)))],
        [(metric.value, milestones[level.pk, metric]) for metric in Metric if milestones[level.pk, metric]],
    )


def _ranks(level: Level, sent: _Sent) -> bool:
    """Whether it stands in the round's own ranking (rule 16.4)."""
    return sent.league == League.HUMAN or level.round.ranks_together


def _bests(level: Level, metric: str, own: Iterable[_Sent]) -> list[int]:
    best: dict[int, int] = {}
    for one in own:
        if _ranks(level, one):
            best[one.player] = min(one.count(metric), best.get(one.player, one.count(metric)))
    return list(best.values())


def _lowering(level: Level, metric: str, sent: Iterable[_Sent]) -> list[_Sent]:
    """Those that lowered the best count, as they came."""
    found: list[_Sent] = []
    for one in sent:
        if one.level == level.pk and _ranks(level, one) and (not found or one.count(metric) < found[-1].count(metric)):
            found.append(one)
    return found


def spread(metric: str, bests: Iterable[int]) -> Spread | None:
    """How *bests*, one a player, are spread; None without any."""
    counts = sorted(bests)
    if not counts:
        return None
    return Spread(metric, len(counts), counts[0], median_low(counts), counts[-1], bins(counts))


def bins(counts: Sequence[int]) -> list[Bin]:
    """Put sorted *counts* into bins of one width; a few far away share the last one, which ends with them.

    >>> [(bin.least, bin.most, bin.players) for bin in bins([7, 7, 9])]
    [(7, 7, 2), (8, 8, 0), (9, 9, 1)]
    """
    least, end = counts[0], counts[-1]
    near = counts[9 * (len(counts) - 1) // 10]
    if end - least > 3 * (near - least + 1):
        end = near
    width = -(-(end - least + 1) // MOST_BINS)
    edges = list(range(least, end + 1, width))
    players = Counter(bisect_right(edges, count) - 1 for count in counts)
    lasts = [edge - 1 for edge in edges[1:]] + [max(counts[-1], edges[-1] + width - 1)]
    return [Bin(edge, last, players[place]) for place, (edge, last) in enumerate(zip(edges, lasts, strict=True))]


def _days(sent: Iterable[_Sent]) -> list[Day]:
    """A line a day, quiet days between busy ones included unless that would be a whole book."""
    tallies: dict[date, _Tally] = defaultdict(_Tally)
    for one in sent:
        tallies[timezone.localtime(one.at).date()].add(one)
    if not tallies:
        return []
    first, last = min(tallies), max(tallies)
    if (last - first).days < MOST_DAYS:
        for place in range((last - first).days):
            tallies[first + timedelta(days=place)]  # which makes an empty one
    return [Day(day, tally.accepted, len(tally.players)) for day, tally in sorted(tallies.items())]


def _countries(sent: Iterable[_Sent]) -> list[CountryFigures]:
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for one in sent:
        tallies[_code(one.country)].add(one)
    return _in_order(CountryFigures(code, len(tally.players), tally.accepted) for code, tally in tallies.items())


def _code(country: str) -> str:
    return "" if country == "00" else country.upper()


def _in_order(lines: Iterable[CountryFigures]) -> list[CountryFigures]:
    """Most players first; who gave no country stands last."""
    return sorted(lines, key=lambda line: (not line.code, -line.players, -line.accepted, line.code))


def of_site(viewer: Viewer, at: datetime) -> SiteFigures:
    """All rounds that have opened. Seven queries; two while nothing changes."""
    return cached(("figures of the site", standings.version(at)), lambda: _of_site(viewer, at))


def _of_site(viewer: Viewer, at: datetime) -> SiteFigures:
    counted = visibility.counted(viewer, at).filter(level__voided_at=None).order_by()
    accepted, players = Count("pk"), Count("player", distinct=True)
    programs = Count("player", distinct=True, filter=Q(player__league=League.BOT))
    by_round = counted.values("round").annotate(accepted=accepted, players=players, programs=programs)
    counts = {pk: found for pk, *found in by_round.values_list("round", "accepted", "players", "programs")}
    by_country: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    of_country = counted.values("player__country").annotate(accepted=accepted, players=players)
    for country, *found in of_country.values_list("player__country", "players", "accepted"):
        line = by_country[_code(country)]
        line[:] = [before + more for before, more in zip(line, found, strict=True)]
    return SiteFigures(
        **counted.aggregate(accepted=accepted, players=players, programs=programs),
        rounds=[RoundLine(round_, *counts.get(round_.pk, ())) for round_ in visibility.opened(viewer, at)],
        countries=_in_order(CountryFigures(code, *found) for code, found in by_country.items()),
        hardest=_hardest(viewer, at, {pk: found[1] for pk, found in counts.items()}),
    )


def _hardest(viewer: Viewer, at: datetime, entrants: dict[int, int]) -> list[Hardness]:
    """The levels of closed rounds that the smallest part of their players solved; of equal ones the longer."""
    standing = Best.objects.filter(board=Board.CONTEST, level__round__in=visibility.practised(at))
    least: dict[int, dict[str, tuple[int, int]]] = defaultdict(dict)
    for level, metric, solvers, first in (
        standing.values("level", "metric")
        .annotate(solvers=Count("pk"), least=Min("first"))
        .values_list("level", "metric", "solvers", "least")
    ):
        least[level][metric] = solvers, first
    levels = visibility.levels(viewer, at).filter(pk__in=least, voided_at=None)
    found = [
        Hardness(
            level,
            least[level.pk][Metric.MOVES][0],
            entrants.get(level.round_id, 0),
            least[level.pk][Metric.MOVES][1],
            least[level.pk][Metric.PUSHES][1],
        )
        for level in levels
    ]
    return sorted(found, key=lambda one: (one.percent, -one.moves, -one.level.round.number))[:HARDEST]
