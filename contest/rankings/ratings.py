"""Ratings: OpenSkill's Plackett-Luce model over the final rounds, one per league (rule 22.1).

A rating is a function only of the placings of all final rounds in the order of their closes: rating a round twice,
or all rounds again, gives the same numbers.

A transaction rates AT_ONCE rounds. A worker rates the ones after them (`rate_next`); until then these keep the ratings
they had.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from openskill.models import PlackettLuce

from contest.infra import clock
from contest.infra.cache import CachedList, CachedTable
from contest.infra.database import locks
from contest.infra.database.locks import Turn
from contest.models import League, LongAct, Placing, Player, Rating, Round, Snapshot
from contest.rules import scoring
from contest.rules import settings as round_settings

_MODEL = PlackettLuce()
_ORDER = ("round__closes_at", "round__number")
# The displayed rating is BASE + STEP (mu - 3 sigma). Fixed once, so that the median of players with at least three
# rounds in simulated seasons of 60 and of 200 players is about 1000 (docs/explanation/decisions/ratings-about-1000.md).
BASE, STEP = 1000, 90
# After fewer rounds a rating means nothing and is not displayed.
LEAST_ROUNDS = 3
AT_ONCE = 50  # rounds rated in one transaction


@dataclass(frozen=True)
class RankedRating:
    """A player's current rating and its rank in the league."""

    rank: int
    player: Player
    mu: float
    sigma: float
    rounds: int

    @property
    def value(self) -> int | None:
        """Return the displayed rating; None before the third round."""
        return display(self.mu, self.sigma) if self.rounds >= LEAST_ROUNDS else None


def display(mu: float, sigma: float) -> int:
    """Return the displayed rating, based on what the player is worth almost surely.

    >>> display(25, 25 / 3)
    1000
    """
    return round(BASE + STEP * _worth(mu, sigma))


@transaction.atomic
def update(*rounds: Round) -> None:
    """Rate the players of *rounds*, which have just become final or were revised, and of all rounds that follow.

    Everything from the first of *rounds* on is computed once.
    """
    locks.take(Turn.RATINGS)  # before looking: a track may begin to count at this moment
    if rated := [_place(round_) for round_ in _finals(Q(pk__in=[round_.pk for round_ in rounds]))]:
        _rate_first(_from(min(rated)))


def update_in_steps(*rounds: Round) -> Iterator[None]:
    """Do the same in short transactions, and yield after each: on SQLite all other writers wait for one.

    Each step continues with the rounds that are final then, so what others rate between two steps is not lost.
    """
    rated = [_place(round_) for round_ in rounds if round_.track.is_rated]
    place = min(rated, default=None)
    while place:
        with transaction.atomic():
            place = _replay(_from(place), AT_ONCE)
        yield


def remove(rounds: Collection[Round]) -> None:
    """Delete the ratings of *rounds*, which are being removed; `update_in_steps` then rates the rounds after them."""
    locks.take(Turn.RATINGS)
    old = Rating.objects.filter(round__in=rounds)
    players = set(old.order_by().values_list("player", flat=True))
    old.delete()
    _show(players)


@transaction.atomic
def replay() -> None:
    """Rate every final round again, from the first on (rule 22.1)."""
    _rate_first(Q())


def rate_next(job: LongAct) -> int:
    """Rate the next rounds of a worker's job; return how many, 0 after the last one."""
    locks.take(Turn.RATINGS)  # before the row: `_leave` may move its place back
    place = _unpack(LongAct.objects.values_list("given", flat=True).get(pk=job.pk))
    if place is None:
        return 0
    rest = _replay(_from(place), AT_ONCE)
    rated = _finals(_from(place) & (~_from(rest) if rest else Q())).count()
    LongAct.objects.filter(pk=job.pk).update(given=_pack(rest))
    return max(rated, 1)


_Place = tuple[datetime, int]  # in the order of rating: the close, and the number


def _place(round_: Round) -> _Place:
    return round_.closes_at, round_.number


def _from(place: _Place) -> Q:
    closes_at, number = place
    return Q(closes_at__gt=closes_at) | Q(closes_at=closes_at, number__gte=number)


def _pack(place: _Place | None) -> dict[str, Any]:
    return {"closes_at": place[0].isoformat(), "number": place[1]} if place else {}


def _unpack(given: Mapping[str, Any]) -> _Place | None:
    return (datetime.fromisoformat(given["closes_at"]), given["number"]) if given else None


def _finals(condition: Q) -> QuerySet[Round]:
    return Round.objects.filter(condition, cancelled_at=None, track__is_rated=True).exclude(finalised_at=None)


def _rate_first(condition: Q) -> None:
    """Rate the first of the selected rounds, and leave the others to a worker."""
    if rest := _replay(condition, AT_ONCE):
        _leave(rest)


def _leave(rest: _Place) -> None:
    """Have a worker rate all rounds from *rest* on. The caller holds the turn."""
    known = LongAct.objects.unended().filter(kind=LongAct.Kind.RATE).first()
    known = known or LongAct.objects.ask(LongAct.Kind.RATE, None, clock.now())
    place = _unpack(LongAct.objects.values_list("given", flat=True).get(pk=known.pk))
    place = min(place, rest) if place else rest
    rounds_left = _finals(_from(place)).count()
    LongAct.objects.filter(pk=known.pk).update(given=_pack(place), total=F("done") + rounds_left)


def _replay(condition: Q, most: int | None = None) -> _Place | None:
    """Rate the selected rounds again: all, or all from one on, since each rating builds on those before.

    With *most*, rate only so many rounds, and return the place of the first one left.
    """
    locks.take(Turn.RATINGS)
    rounds = list(_finals(condition).order_by("closes_at", "number")[: most and most + 1])
    rest = _place(rounds.pop()) if most and len(rounds) > most else None
    later = Round.objects.filter(condition).order_by()
    known = _newest(Rating.objects.exclude(round__in=later.values("pk")))[0]
    if rest:
        condition &= ~_from(rest)
    old = Rating.objects.filter(round__in=Round.objects.filter(condition).order_by().values("pk"))
    affected = set(old.order_by().values_list("player", flat=True))
    old.delete()
    created = _rate(rounds, known)
    _show(affected | {rating.player_id for rating in created})
    return rest


def current(league: str = League.HUMAN) -> CachedTable[Any, RankedRating]:
    """Return the newest rating of every player of *league*, best first; equal ratings share a rank.

    Sorted once for each version of the ratings; a page reads its part.
    """
    # A change of any rating writes it again with a new key; a merge excludes the merged name.
    newest = Rating.objects.order_by("-pk").values_list("pk", flat=True).first()
    merged = Player.objects.exclude(merged_into=None).order_by("pk").values_list("pk", flat=True)
    return CachedTable(CachedList(("ratings", league, newest, list(merged)), lambda: _rank(league)), _of_players)


_Ranked = tuple[int, int, float, float, int]  # rank, player, mu, sigma, rounds


def _rank(league: str) -> list[_Ranked]:
    newest, rounds = _newest(Rating.objects.filter(league=league, player__merged_into=None))
    ranked: list[_Ranked] = []
    for place, (key, (mu, sigma)) in enumerate(
        sorted(newest.items(), key=lambda item: (-_worth(*item[1]), item[0])), 1
    ):
        shares = bool(ranked) and _worth(mu, sigma) == _worth(*ranked[-1][2:4])
        ranked.append((ranked[-1][0] if shares else place, key[0], mu, sigma, rounds[key]))
    return ranked


def _of_players(rows: Sequence[_Ranked]) -> list[RankedRating]:
    """Return *rows* with the current players. One query."""
    players = Player.objects.in_bulk([player for _rank, player, *_rest in rows])
    return [RankedRating(place, players[pk], mu, sigma, rounds) for place, pk, mu, sigma, rounds in rows]


def history(player: Player) -> list[Rating]:
    """Return the player's ratings in their current league, oldest first."""
    ratings = Rating.objects.filter(player=player, league=player.league)
    return list(ratings.select_related("round").order_by(*_ORDER))


def _worth(mu: float, sigma: float) -> float:
    return mu - 3 * sigma


_Known = dict[tuple[int, str], tuple[float, float]]


def _newest(ratings: QuerySet[Rating]) -> tuple[_Known, Counter[tuple[int, str]]]:
    """Return the newest of *ratings* by player and league, and their number."""
    newest: _Known = {}
    rounds: Counter[tuple[int, str]] = Counter()
    for player, league, mu, sigma in ratings.order_by(*_ORDER).values_list("player", "league", "mu", "sigma"):
        newest[player, league] = mu, sigma
        rounds[player, league] += 1
    return newest, rounds


def _show(changed: Collection[int]) -> None:
    """Store the displayed rating of the *changed* players on their rows: every page colours names by it."""
    newest, rounds = _newest(Rating.objects.filter(player__in=changed))
    players = Player.objects.filter(pk__in=changed)
    for player in players:
        key = player.pk, player.league
        player.shown_rating = display(*newest[key]) if rounds[key] >= LEAST_ROUNDS else None
    Player.objects.bulk_update(players, ["shown_rating"], batch_size=500)


def _rate(rounds: Sequence[Round], known: _Known) -> list[Rating]:
    """Store and return the ratings after each of *rounds*, in order, starting from *known*."""
    created: list[Rating] = []
    points = _points(rounds)
    for round_ in rounds:
        for league in League:
            for player, (mu, sigma) in _after(points[round_.pk, league], known, league).items():
                known[player, league] = mu, sigma
                created.append(Rating(round=round_, player_id=player, league=league, mu=mu, sigma=sigma))
    return Rating.objects.bulk_create(created, batch_size=500)


def _after(points: Mapping[int, int], known: _Known, league: str) -> dict[int, tuple[float, float]]:
    """Return the new ratings of players with *points* in a round; a lone player's does not change."""
    players = sorted(points, key=lambda player: (-points[player], player))
    teams = [[_MODEL.create_rating(list(known.get((player, league), (_MODEL.mu, _MODEL.sigma))))] for player in players]
    if len(teams) > 1:
        # More points rank higher; players without points share the last place.
        teams = _MODEL.rate(teams, scores=[float(points[player]) for player in players])
    return {player: (team[0].mu, team[0].sigma) for player, team in zip(players, teams, strict=True)}


_Points = dict[tuple[int, str], dict[int, int]]  # by round and league: half points by entrant


def _points(rounds: Sequence[Round]) -> _Points:
    """Return the round totals of all entrants, in half points; a merged name counts for the player it leads to."""
    points: _Points = defaultdict(dict)
    entered = Placing.objects.standing().filter(round__in=rounds)
    total = F("move_half_points") + F("push_half_points")
    for round_, league, entrant, half_points in entered.values_list("round", "league", "entrant", total):
        points[round_, league][entrant] = half_points
    unscored = [round_ for round_ in rounds if not any(points[round_.pk, League.BOT].values())]
    for pk, scores in _programs_points(unscored):
        points[pk, League.BOT] |= scores
    return points


def _programs_points(rounds: Sequence[Round]) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield the scores of programs by the rounds' tables: a ranking of their own gives no points (rule 16.4)."""
    last = Snapshot.objects.filter(round=OuterRef("round")).order_by("-revision").values("revision")[:1]
    programs = {f"document__rankings__{League.BOT}__isnull": False}
    for snapshot in Snapshot.objects.filter(round__in=rounds, revision=Subquery(last), **programs).order_by("round"):
        document = snapshot.document
        settings = round_settings.parse(document["settings"])
        player_of = {row["number"]: row["player"] for row in document["submissions"]}
        rankings = {
            slot: scoring.Rankings(*([player_of[number] for number in both[metric]] for metric in ("moves", "pushes")))
            for slot, both in document["rankings"][League.BOT].items()
        }
        totals = scoring.totals(rankings, settings.move_points, settings.push_points, settings.scoring_levels)
        # A document names players by archive numbers, which remain after erasure (rule 15.6).
        players = Player.objects.filter(archive_number__in=[total.player for total in totals])
        entrant_of = dict(players.values_list("archive_number", Coalesce("merged_into", "pk")))
        yield snapshot.round_id, {entrant_of[total.player]: total.half_points for total in totals}
