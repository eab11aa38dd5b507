"""Statistics of a round, from publicly listed submissions only (rules 7.1, 7.4)."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import chain
from statistics import median_low
from typing import Any, NamedTuple

from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _
from django_countries import countries as known_countries

from contest import visibility
from contest.infra import identity
from contest.infra.cache import remember
from contest.models import League, Level, Metric, Player, Round, Submission
from contest.rankings import history
from contest.visibility import Viewer

MOST_BINS = 12
MOST_DAYS = 120


@dataclass(frozen=True)
class Day:
    """Figures of one day in the site's time zone."""

    day: date
    accepted: int
    players: int


@dataclass(frozen=True)
class Milestone:
    """A new best *count* at *at*; *player* reached it first (rule 8.9)."""

    at: datetime
    count: int
    player: Player


@dataclass(frozen=True)
class Bin:
    """Number of players with a best from *least* to *most*."""

    least: int
    most: int
    players: int


@dataclass(frozen=True)
class Spread:
    """Distribution of the players' bests on a level."""

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
    """Figures of a country; *code* is empty for players who gave none (rule 4.6)."""

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


class _Sent(NamedTuple):
    """Counted submissions of a player for a level on a day: their number, and the fewest moves and pushes."""

    level: int
    player: Player
    day: date
    accepted: int
    moves: int
    pushes: int

    def count(self, metric: str) -> int:
        return self.moves if metric == Metric.MOVES else self.pushes


@dataclass
class _Tally:
    accepted: int = 0
    players: set[int] = field(default_factory=set)

    def add(self, sent: "_Sent") -> None:
        self.accepted += sent.accepted
        self.players.add(sent.player.pk)


def of_round(viewer: Viewer, round_: Round, at: datetime) -> RoundFigures:
    """Return the figures of *round_* without void levels. Five queries; one if no board has changed."""
    public = visibility.levels(viewer, at).filter(round=round_, voided_at=None)
    levels = sorted(public, key=lambda level: level.slot_order)
    version = [(level.pk, level.board_version) for level in levels]
    key = ("figures of a round", round_.pk, round_.ranks_together, identity.zone_key(), version)
    return remember(key, lambda: _of_round(levels, at))


def _of_round(levels: Sequence[Level], at: datetime) -> RoundFigures:
    counted = visibility.counted_submissions(Viewer(), at).filter(level__in=levels).order_by()
    day = TruncDate("received_at", tzinfo=identity.zone())
    summed = counted.annotate(day=day).values("level", "player", "day")
    summed = summed.annotate(accepted=Count("pk"), moves_least=Min("moves"), pushes_least=Min("pushes"))
    rows = list(summed.values_list("level", "player", "day", "accepted", "moves_least", "pushes_least"))
    lowering = {metric: _lowering(counted, levels, metric) for metric in Metric}
    # After the queries above: a new player may appear between them.
    named = {row[1] for row in (*rows, *chain.from_iterable(lowering.values()))}
    players = Player.objects.defer("email", "claim_sha256").in_bulk(named)
    sent = [_Sent(level, players[player], *rest) for level, player, *rest in rows]
    milestones = {metric: _milestones(bests, players) for metric, bests in lowering.items()}
    return RoundFigures(
        accepted=sum(submission.accepted for submission in sent),
        players=len({submission.player.pk for submission in sent}),
        programs=_programs(sent),
        days=_days(sent),
        levels=[_of_level(level, sent, milestones) for level in levels],
        countries=_countries(sent),
    )


def _lowering(
    counted: QuerySet[Submission], levels: Sequence[Level], metric: Metric
) -> list[tuple[Any, int, datetime, Any]]:
    """Return level, player, time and count of each new best in the round's own ranking, in order (rule 16.4)."""
    together = [level for level in levels if level.round.ranks_together]
    ranked = counted.filter(Q(player__league=League.HUMAN) | Q(level__in=together))
    lowering = history.lowering_of(ranked, metric)
    return list(lowering.values_list("level", "player", "received_at", metric.value))


def _milestones(
    lowering: Iterable[tuple[Any, int, datetime, Any]], players: Mapping[int, Player]
) -> dict[int | None, list[Milestone]]:
    milestones: dict[int | None, list[Milestone]] = {}
    for level, player, at, count in lowering:
        milestones.setdefault(level, []).append(Milestone(at, count, players[player]))
    return milestones


def _of_level(
    level: Level, sent: Iterable[_Sent], milestones: Mapping[Metric, Mapping[int | None, list[Milestone]]]
) -> LevelFigures:
    own = [submission for submission in sent if submission.level == level.pk]
    return LevelFigures(
        level,
        sum(submission.accepted for submission in own),
        len({submission.player.pk for submission in own}),
        [distribution for metric in Metric if (distribution := spread(metric, _bests(level, metric, own)))],
        [
            (metric.value, distribution[level.pk])
            for metric, distribution in milestones.items()
            if level.pk in distribution
        ],
    )


def _ranks(level: Level, sent: _Sent) -> bool:
    """Return whether the submission is in the round's own ranking (rule 16.4)."""
    return sent.player.league == League.HUMAN or level.round.ranks_together


def _bests(level: Level, metric: str, own: Iterable[_Sent]) -> list[int]:
    best: dict[int, int] = {}
    for submission in own:
        if _ranks(level, submission):
            best[submission.player.pk] = min(
                submission.count(metric), best.get(submission.player.pk, submission.count(metric))
            )
    return list(best.values())


def spread(metric: str, bests: Iterable[int]) -> Spread | None:
    """Return the distribution of *bests*, one for each player; None if empty."""
    counts = sorted(bests)
    if not counts:
        return None
    return Spread(metric, len(counts), counts[0], median_low(counts), counts[-1], bins(counts))


def bins(counts: Sequence[int]) -> list[Bin]:
    """Put sorted *counts* into bins of equal width; a few outliers share the last bin, which ends with them.

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
    """Return one line a day, with the days without submissions in between unless there are too many."""
    tallies: dict[date, _Tally] = defaultdict(_Tally)
    for submission in sent:
        tallies[submission.day].add(submission)
    if not tallies:
        return []
    first, last = min(tallies), max(tallies)
    if (last - first).days < MOST_DAYS:
        for place in range((last - first).days):
            tallies[first + timedelta(days=place)]  # the defaultdict creates an empty tally
    return [Day(day, tally.accepted, len(tally.players)) for day, tally in sorted(tallies.items())]


def _countries(sent: Iterable[_Sent]) -> list[CountryFigures]:
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for submission in sent:
        tallies[code_of(submission.player.country)].add(submission)
    return in_order(CountryFigures(code, len(tally.players), tally.accepted) for code, tally in tallies.items())


def code_of(country: str) -> str:
    return "" if country == "00" else country.upper()


def in_order(lines: Iterable[CountryFigures]) -> list[CountryFigures]:
    """Return *lines* with most players first and players without a country last."""
    return sorted(lines, key=lambda line: (not line.code, -line.players, -line.accepted, line.code))


def _programs(sent: Iterable[_Sent]) -> int:
    return len({submission.player.pk for submission in sent if submission.player.league == League.BOT})
