"""A player's public page: rounds, titles, best levels, rating, points of Pareto fronts; nothing hidden (rule 7.4)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from contest import visibility
from contest.infra.cache import remember
from contest.models import Player, Rating, Star, Submission
from contest.rankings import ratings, standings
from contest.stats import head_to_head, records, totals
from contest.stats.head_to_head import Rival
from contest.stats.records import First, Place
from contest.stats.totals import Entered, Tally
from contest.visibility import Viewer

BEST_LEVELS = 10
HOLDINGS = 100
FIRSTS = 20


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
    def has_charts(self) -> bool:
        return bool(self.ratings) or len(self.placed) > 1

    @property
    def placed(self) -> list[Entered]:
        return [entered for entered in self.rounds if entered.placing.place]


def player(viewer: Viewer, number: int, at: datetime) -> Player:
    """The player of this number; of a merged name the one it leads to. Raise Player.DoesNotExist.

    With `is_starred`: whether the viewer follows them.
    """
    # One number to look for and no choice of two: with a choice PostgreSQL reads the submissions of everybody first.
    living = Player.objects.filter(pk=number).values(living=Coalesce("merged_into", "pk"))
    stars = Star.objects.filter(player__in=viewer.players).order_by()
    of_player = Q(followed=OuterRef("pk")) | Q(followed__merged_into=OuterRef("pk"))
    shown = visibility.players(viewer, at).annotate(is_starred=Exists(stars.filter(of_player)))
    return shown.get(pk=Subquery(living))


def profile(viewer: Viewer, of: Player, at: datetime) -> Profile:
    """What the page of a player shows at *at*; most of it is kept while no board changes."""
    gathered = remember(("gathered", of.pk, of.league, standings.version(at)), lambda: _gathered(viewer, of, at))
    rounds = rounds_entered(viewer, of, at)
    return Profile(
        player=of,
        tally=totals.of_player(of, rounds),
        rounds=rounds,
        ratings=ratings.history(of),
        **gathered,
    )


def rounds_entered(viewer: Viewer, of: Player, at: datetime) -> list[Entered]:
    """The final rounds *of* entered under any name, each once, the latest first. One query."""
    return totals.rounds_entered(visibility.placings(viewer, at).filter(Q(player=of) | Q(player__merged_into=of)))


def tally(viewer: Viewer, of: Player, at: datetime) -> Tally | None:
    """What *of* has gathered, as in the hall of fame; None before the first final round. One query."""
    return totals.of_player(of, rounds_entered(viewer, of, at))


def _gathered(viewer: Viewer, of: Player, at: datetime) -> dict[str, Any]:
    held = records.holdings(viewer, of, at).defer("text", "lurd", "turned", "receipt_id", "sha256")
    return {
        "best": records.best_places(viewer, of, at, most=BEST_LEVELS),
        "firsts": records.firsts(viewer, of, at, most=FIRSTS),
        "holdings": list(held[:HOLDINGS]),
        "rivals": head_to_head.rivals(viewer, of, at),
    }
