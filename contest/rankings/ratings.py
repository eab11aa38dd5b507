"""Ratings: OpenSkill's Plackett-Luce model over the final rounds, one per league (rule 22.1).

A rating is a function of the placings of all final rounds in the order of their closes, and of nothing else: rating
a round twice, or all of them anew, gives the same numbers.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from openskill.models import PlackettLuce

from contest.infra import locks
from contest.infra.locks import Turn
from contest.models import League, Placing, Player, Rating, Round
from contest.rules import scoring
from contest.rules import settings as round_settings

_MODEL = PlackettLuce()
_ORDER = ("round__closes_at", "round__number")
# How sure the model is, by sigma: it begins at 25/3 and falls slowly. In simulated fields of 6 to 30 players it was
# 8.2 to 8.3 after one round, 7.4 to 8.2 after eight, 6.4 to 8.0 after twenty.
_CERTAINTY: Sequence[tuple[float, Promise]] = (
    (7.5, _("sure")),
    (8.0, _("fairly sure")),
    (8.25, _("unsure")),
    (float("inf"), _("hardly more than a guess")),
)


@dataclass(frozen=True)
class Rated:
    """A player's current rating, with the rank it holds in its league."""

    rank: int
    player: Player
    mu: float
    sigma: float
    rounds: int

    @property
    def shown(self) -> str:
        return display(self.mu, self.sigma)

    @property
    def certainty(self) -> str:
        return certainty(self.sigma)


def display(mu: float, sigma: float) -> str:
    """The rating as people see it: what the player is worth almost surely.

    >>> shown(25, 25 / 3)
    '0.0'
    """
    return f"{_worth(mu, sigma):.1f}".replace("-0.0", "0.0")


def certainty(sigma: float) -> str:
    """*sigma* in words."""
    return next(str(words) for most, words in _CERTAINTY if sigma < most)


@transaction.atomic
def update(round_: Round) -> None:
    """Rate the players of *round_*, which has just become final, or whose results were revised.

    Only a round that was never rated and that no rated round follows can be added to what is there.
    """
    locks.take(Turn.RATINGS)
    follows = (round_.closes_at, round_.number)
    latest = Rating.objects.order_by(*_ORDER).values_list(*_ORDER).last()
    if latest is None or latest < follows:
        _rate([round_], _current())
    else:
        replay()


@transaction.atomic
def replay() -> None:
    """Rate every final round anew, from the first on (rule 22.1)."""
    locks.take(Turn.RATINGS)
    Rating.objects.all().delete()
    finals = Round.objects.exclude(finalised_at=None).filter(cancelled_at=None)
    _rate(finals.order_by("closes_at", "number"), {})


def current(league: str = League.HUMAN) -> list[Rated]:
    """The newest rating of every player of *league*, best first; equal ones share a rank. Two queries."""
    newest: dict[int, tuple[float, float]] = {}
    rounds: Counter[int] = Counter()
    ratings = Rating.objects.filter(league=league, player__merged_into=None).order_by(*_ORDER)
    for player, mu, sigma in ratings.values_list("player", "mu", "sigma"):
        newest[player] = mu, sigma
        rounds[player] += 1
    players = Player.objects.in_bulk(newest)
    ranked = sorted(newest.items(), key=lambda item: (-_worth(*item[1]), item[0]))
    rated: list[Rated] = []
    for place, (player, (mu, sigma)) in enumerate(ranked, 1):
        shares = bool(rated) and _worth(mu, sigma) == _worth(rated[-1].mu, rated[-1].sigma)
        rated.append(Rated(rated[-1].rank if shares else place, players[player], mu, sigma, rounds[player]))
    return rated


def history(player: Player) -> list[Rating]:
    """The player's ratings in the league they play in now, oldest first."""
    ratings = Rating.objects.filter(player=player, league=player.league)
    return list(ratings.select_related("round").order_by(*_ORDER))


def _worth(mu: float, sigma: float) -> float:
    return mu - 3 * sigma


_Known = dict[tuple[int, str], tuple[float, float]]


def _current() -> _Known:
    ratings = Rating.objects.order_by(*_ORDER).values_list("player", "league", "mu", "sigma")
    return {(player, league): (mu, sigma) for player, league, mu, sigma in ratings}


def _rate(rounds: Iterable[Round], known: _Known) -> None:
    """Store the ratings after each of *rounds*, in their order, beginning with what is *known*."""
    made: list[Rating] = []
    for round_ in rounds:
        for league in League:
            for player, (mu, sigma) in _after(round_, league, known).items():
                known[player, league] = mu, sigma
                made.append(Rating(round=round_, player_id=player, league=league, mu=mu, sigma=sigma))
    Rating.objects.bulk_create(made, batch_size=500)


def _after(round_: Round, league: str, known: _Known) -> dict[int, tuple[float, float]]:
    """The new ratings of who entered *round_* in *league*. One who was alone was compared with nobody."""
    points = _points(round_, league)
    players = sorted(points, key=lambda player: (-points[player], player))
    teams = [[_MODEL.create_rating(list(known.get((player, league), (_MODEL.mu, _MODEL.sigma))))] for player in players]
    if len(teams) > 1:
        # More points rank higher; who has none shares the last place.
        teams = _MODEL.rate(teams, scores=[float(points[player]) for player in players])
    return {player: (team[0].mu, team[0].sigma) for player, team in zip(players, teams, strict=True)}


def _points(round_: Round, league: str) -> dict[int, int]:
    """The round total of everybody who entered, in half points; a merged name counts for the player it leads to."""
    entered = Placing.objects.standing().filter(round=round_, league=league)
    points: dict[int, int] = dict(entered.values_list("entrant", F("move_half_points") + F("push_half_points")))
    if league == League.BOT and not any(points.values()):
        points |= _programs_points(round_)
    return points


def _programs_points(round_: Round) -> dict[int, int]:
    """What programs would have scored by the round's tables: in a ranking of their own they get none (rule 16.4)."""
    snapshot = round_.snapshots.order_by("revision").last()
    if snapshot is None:
        return {}
    document = snapshot.document
    settings = round_settings.parse(document["settings"])
    player_of = {row["number"]: row["player"] for row in document["submissions"]}
    rankings = {
        slot: scoring.Rankings(*([player_of[number] for number in both[metric]] for metric in ("moves", "pushes")))
        for slot, both in document["rankings"].get(League.BOT, {}).items()
    }
    totals = scoring.totals(rankings, settings.move_points, settings.push_points, settings.scoring_levels)
    # A document names players by the numbers that outlive their names (rule 15.6).
    known = Player.objects.filter(archive_number__in=[total.player for total in totals])
    entrant_of = dict(known.values_list("archive_number", Coalesce("merged_into", "pk")))
    return {entrant_of[total.player]: total.half_points for total in totals}
