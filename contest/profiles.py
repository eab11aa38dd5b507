"""A player's public page: rounds, titles, best levels, rating, points of Pareto fronts; nothing hidden (rule 7.4)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, Subquery
from django.db.models.functions import Coalesce

from contest import feats, meetings, ratings, standings, tallies, visibility
from contest.cached import cached
from contest.feats import First, Place
from contest.meetings import Rival
from contest.models import Placing, Player, Rating, Submission
from contest.scoring import half_points
from contest.tallies import Tally
from contest.visibility import Viewer

BEST_LEVELS = 10
HOLDINGS = 100
FIRSTS = 20


@dataclass(frozen=True)
class Entered:
    """A final round the player entered."""

    placing: Placing

    @property
    def points(self) -> str:
        return half_points(self.placing.move_half_points + self.placing.push_half_points)

    @property
    def titles(self) -> list[str]:
        held = {
            "MMC": self.placing.is_mmc,
            "MPC": self.placing.is_mpc,
            "second": self.placing.is_second,
            "lucky": self.placing.is_lucky,
        }
        return [title for title, is_held in held.items() if is_held]


@dataclass(frozen=True)
class Profile:
    player: Player
    tally: Tally | None
    rounds: list[Entered]
    best: list[Place]
    firsts: list[First]
    holdings: list[Submission]
    rivals: list[Rival]
    ratings: list[Rating]

    @property
    def newest_rating(self) -> Rating | None:
        return self.ratings[-1] if self.ratings else None

    @property
    def placed(self) -> list[Entered]:
        return [entered for entered in self.rounds if entered.placing.place]


def player(viewer: Viewer, number: int, at: datetime) -> Player:
    """The player of this number; of a merged name the one it leads to. Raise Player.DoesNotExist."""
    # One number to look for and no choice of two: with a choice PostgreSQL reads the submissions of everybody first.
    living = Player.objects.filter(pk=number).values(living=Coalesce("merged_into", "pk"))
    return visibility.players(viewer, at).get(pk=Subquery(living))


def profile(viewer: Viewer, of: Player, at: datetime) -> Profile:
    """What the page of a player shows at *at*; most of it is kept while no board changes."""
    placings = visibility.placings(viewer, at).filter(Q(player=of) | Q(player__merged_into=of))
    entered = list(placings.select_related("round").order_by("-round__number"))
    gathered = cached(("gathered", of.pk, of.league, standings.version(at)), lambda: _gathered(viewer, of, at))
    return Profile(
        player=of,
        tally=tallies.of_player(of, entered),
        rounds=[Entered(placing) for placing in entered],
        ratings=ratings.history(of),
        **gathered,
    )


def _gathered(viewer: Viewer, of: Player, at: datetime) -> dict[str, Any]:
    held = feats.holdings(viewer, of, at).defer("text", "lurd", "turned", "receipt_id", "sha256")
    return {
        "best": feats.best_places(viewer, of, at, most=BEST_LEVELS),
        "firsts": feats.firsts(viewer, of, at, most=FIRSTS),
        "holdings": list(held[:HOLDINGS]),
        "rivals": meetings.rivals(viewer, of, at),
    }
