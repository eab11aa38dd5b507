"""Sums of players and countries over final rounds: counts and exact sums, no formula (rules 9.3, 9.7, 21)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import BigIntegerField, Count, DateTimeField, F, Max, Min, Q, Sum, Value
from django.utils.translation import gettext as _
from django_countries import countries as known_countries

from contest.infra.cache import digest
from contest.models import Placing, PlacingQuerySet, Player, Round
from contest.rules.scoring import half_points

_POINTS = F("move_half_points") + F("push_half_points")
T = TypeVar("T")


@dataclass(frozen=True)
class Tally:
    """Sums of a player over some final rounds. *first* and *last* are round numbers."""

    player: Player
    rounds: int
    half_points: int
    firsts_by_moves: int
    firsts_by_pushes: int
    mmc: int
    mpc: int
    second: int
    lucky: int
    first: int
    last: int
    first_point_at: datetime | None

    @property
    def points(self) -> str:
        return half_points(self.half_points)

    @property
    def titles(self) -> int:
        return self.mmc + self.mpc + self.second + self.lucky


@dataclass(frozen=True)
class Country:
    """Sums of the players who gave this country or region (rule 4.6); *code* "" is for players who gave none."""

    code: str
    name: str
    players: int
    entries: int
    half_points: int
    mmc: int
    mpc: int
    second: int
    lucky: int

    @property
    def points(self) -> str:
        return half_points(self.half_points)


Sums = Mapping[str, Any]  # sums of an entrant, keyed like the fields of `Tally`, with the player's key


def tallies(placings: PlacingQuerySet) -> list[Tally]:
    """Return one tally a player, unordered; a merged name counts for the player it was merged into. Two queries.

    If two names of one player are in a round, the better one scores, until a revision ranks them as one (rules 4.13,
    14.4). Titles of either name count.
    """
    return of_players(sums(placings))


def of_players(rows: Sequence[Sums]) -> list[Tally]:
    """Return the tallies of *rows* in the same order, with the current players. One query."""
    players = Player.objects.in_bulk([row["entrant"] for row in rows])
    return [
        Tally(player=players[row["entrant"]], **{name: value for name, value in row.items() if name != "entrant"})
        for row in rows
    ]


def of_ranked(rows: Sequence[tuple[int, Sums]]) -> list[tuple[int, Tally]]:
    """Return the tallies of *rows* with their ranks. One query."""
    return list(zip([place for place, _sums in rows], of_players([of for _place, of in rows]), strict=True))


def version(at: datetime) -> str:
    """Return the cache version of sums over final rounds: rounds, their publications, merged players. One query."""
    finals = Round.objects.final(at).order_by().values_list("pk", "number", "closes_at", "tabulated_version")
    merged = Player.objects.exclude(merged_into=None).order_by()
    nothing = Value(None, DateTimeField()), Value(None, BigIntegerField())
    names = merged.values_list("pk", "merged_into", *nothing)
    return digest(sorted(map(repr, finals.union(names, all=True))))


def sums(placings: PlacingQuerySet) -> list[Sums]:
    """Return the sums of each entrant, unordered. One query."""
    scores = Q(is_outdone=False)
    rows = (
        placings.of_entrants()
        .order_by()
        .values("entrant")
        .annotate(
            rounds=Count("round", distinct=True),
            half_points=Sum(_POINTS, filter=scores),
            by_moves=Sum("firsts_by_moves", filter=scores),
            by_pushes=Sum("firsts_by_pushes", filter=scores),
            mmc=Count("round", distinct=True, filter=Q(is_mmc=True)),
            mpc=Count("round", distinct=True, filter=Q(is_mpc=True)),
            second=Count("round", distinct=True, filter=Q(is_second=True)),
            lucky=Count("round", distinct=True, filter=Q(is_lucky=True)),
            first=Min("round__number"),
            last=Max("round__number"),
            first_point_at=Min("round__closes_at", filter=Q(move_half_points__gt=0) | Q(push_half_points__gt=0)),
        )
    )
    return [_name_sums(row) for row in rows]


def _name_sums(row: Mapping[str, Any]) -> Sums:
    """Rename keys to the field names, which an aggregate must not have."""
    renamed = {"by_moves": "firsts_by_moves", "by_pushes": "firsts_by_pushes"}
    return {renamed.get(name, name): value for name, value in row.items()}


@dataclass(frozen=True)
class RoundResult:
    """A final round of a player: the placing that scores, and the titles won under any of their names."""

    placing: Placing
    titles: list[str]

    @property
    def points(self) -> str:
        return half_points(self.placing.total)


def rounds_entered(placings: PlacingQuerySet) -> list[RoundResult]:
    """Return the rounds of one player's *placings*, each once, latest first. One query."""
    rows: dict[int, list[Placing]] = defaultdict(list)
    for placing in placings.of_entrants().select_related("round").order_by("-round__number", "is_outdone"):
        rows[placing.round_id].append(placing)
    return [
        RoundResult(of_round[0], [title for placing in of_round for title in placing.titles])
        for of_round in rows.values()
    ]


def of_player(player: Player, rounds: Sequence[RoundResult]) -> Tally | None:
    """Return the tally of *player* from all *rounds* they entered, as `tallies` does; None if empty. No query."""
    if not rounds:
        return None
    best = [result.placing for result in rounds]
    numbers = [result.round.number for result in best]
    return Tally(
        player=player,
        rounds=len(rounds),
        half_points=sum(result.total for result in best),
        firsts_by_moves=sum(result.firsts_by_moves for result in best),
        firsts_by_pushes=sum(result.firsts_by_pushes for result in best),
        mmc=sum("MMC" in result.titles for result in rounds),
        mpc=sum("MPC" in result.titles for result in rounds),
        second=sum("second" in result.titles for result in rounds),
        lucky=sum("lucky" in result.titles for result in rounds),
        first=min(numbers),
        last=max(numbers),
        first_point_at=min((result.round.closes_at for result in best if result.total), default=None),
    )


def by_country(placings: PlacingQuerySet) -> list[Country]:
    """Return one line a country, most points first, then most titles; players without a country come last."""
    by_code: dict[str, list[Tally]] = defaultdict(list)
    for tally in tallies(placings):
        code = tally.player.country.upper()
        by_code["" if code == "00" else code].append(tally)
    lines = [_country(code, of_country) for code, of_country in by_code.items()]
    return sorted(
        lines, key=lambda line: (not line.code, -line.half_points, -line.mmc - line.mpc, -line.entries, line.code)
    )


def _country(code: str, of_country: Sequence[Tally]) -> Country:
    def total(name: str) -> int:
        return sum(getattr(tally, name) for tally in of_country)

    name = str(known_countries.name(code) or code) if code else _("not given")
    counts = {name: total(name) for name in ("half_points", "mmc", "mpc", "second", "lucky")}
    return Country(code=code, name=name, players=len(of_country), entries=total("rounds"), **counts)


def rank(rows: Iterable[T], key: Callable[[T], Any]) -> list[tuple[int, T]]:
    """Number *rows* in the order of *key* starting at 1; equal rows share the smaller number.

    >>> rank([3, 1, 3, 2], lambda row: -row)
    [(1, 3), (1, 3), (3, 2), (4, 1)]
    """
    numbered: list[tuple[int, T]] = []
    for place, row in enumerate(sorted(rows, key=key), 1):
        shares = numbered and key(numbered[-1][1]) == key(row)
        numbered.append((numbered[-1][0] if shares else place, row))
    return numbered
