"""A player's public page: rounds, titles, best levels, rating, points of Pareto fronts; nothing hidden (rule 7.4)."""

from dataclasses import dataclass
from datetime import datetime

from contest import feats, ratings, tallies, visibility
from contest.feats import Place
from contest.models import Placing, Player, Rating, Submission
from contest.scoring import half_points
from contest.tallies import Tally
from contest.visibility import Viewer

BEST_LEVELS = 10
HOLDINGS = 100


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
    holdings: list[Submission]
    ratings: list[Rating]

    @property
    def newest_rating(self) -> Rating | None:
        return self.ratings[-1] if self.ratings else None


def player(viewer: Viewer, number: int, at: datetime) -> Player:
    """The player of this number; of a merged name the one it leads to. Raise Player.DoesNotExist."""
    found = Player.objects.select_related("merged_into").get(pk=number)
    return visibility.players(viewer, at).get(pk=(found.merged_into or found).pk)


def profile(viewer: Viewer, of: Player, at: datetime) -> Profile:
    """What the page of a player shows at *at*."""
    names = [of, *of.aliases.all()]
    placings = visibility.placings(viewer, at).filter(player__in=names)
    entered = placings.select_related("round").order_by("-round__number")
    return Profile(
        player=of,
        tally=next(iter(tallies.tallies(placings)), None),
        rounds=[Entered(placing) for placing in entered],
        best=feats.best_places(viewer, of, at, most=BEST_LEVELS),
        holdings=list(feats.holdings(viewer, of, at)[:HOLDINGS]),
        ratings=ratings.history(of),
    )
