"""Public profile of a player: rounds, titles, best levels, rating, Pareto fronts; nothing hidden (rule 7.4)."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from contest import visibility
from contest.infra.cache import remember
from contest.models import MAIN, LevelResult, Player, Rating, Round, Star, Submission
from contest.rankings import pareto, ratings, standings
from contest.rankings.records import First, Place, best_places, firsts
from contest.stats import head_to_head, records, totals
from contest.stats.head_to_head import Rival
from contest.stats.totals import RoundResult, Tally
from contest.visibility import Viewer

BEST_LEVELS = 10
HOLDINGS = 100
FIRSTS = 20


@dataclass(frozen=True)
class WonTitle:
    """A title, the number of times it was won, and the latest round it was won in."""

    title: str
    times: int
    latest: Round


@dataclass(frozen=True)
class Profile:
    player: Player
    tally: Tally | None
    rounds: list[RoundResult]
    best: list[Place]
    unbeaten: int  # number of levels without a higher-ranked result, by moves or by pushes
    firsts: list[First]
    holdings: list[Submission]
    rivals: list[Rival]
    ratings: list[Rating]

    @property
    def newest_rating(self) -> Rating | None:
        return self.ratings[-1] if self.ratings else None

    @property
    def first_round(self) -> Round | None:
        """Return the earliest final round the player entered."""
        return self.rounds[-1].placing.round if self.rounds else None

    @property
    def changes(self) -> dict[int, int]:
        """Return the change of the displayed rating by round key; none before it is displayed (rule 22.1)."""
        shown = [ratings.display(rating.mu, rating.sigma) for rating in self.ratings]
        moved = pairwise(shown[ratings.LEAST_ROUNDS - 1 :])
        later = self.ratings[ratings.LEAST_ROUNDS :]
        return {rating.round_id: after - before for rating, (before, after) in zip(later, moved, strict=True)}

    @property
    def won(self) -> list[WonTitle]:
        """Return the titles, those of the latest rounds first."""
        rounds: dict[str, list[Round]] = defaultdict(list)
        for entered in self.rounds:
            for title in entered.titles:
                rounds[title].append(entered.placing.round)
        return [WonTitle(title, len(of_title), of_title[0]) for title, of_title in rounds.items()]

    @property
    def has_charts(self) -> bool:
        return bool(self.changes) or len(self.ranked_rounds) > 1

    @property
    def ranked_rounds(self) -> list[RoundResult]:
        return [entered for entered in self.rounds if entered.placing.place]


def player(viewer: Viewer, number: int, at: datetime) -> Player:
    """Return the player of this number, or the player it was merged into. Raise Player.DoesNotExist.

    Annotate `is_starred`, whether the viewer follows the player, and `solved`, the number of collection levels solved.
    """
    # A subquery for one number: with an OR PostgreSQL would read the submissions of all players first.
    living = Player.objects.filter(pk=number).values(living=Coalesce("merged_into", "pk"))
    stars = Star.objects.filter(player__in=viewer.players).order_by()
    of_player = Q(followed=OuterRef("pk")) | Q(followed__merged_into=OuterRef("pk"))
    # Each player has one best by moves on each level (rule 26).
    bests = LevelResult.objects.filter(player=OuterRef("pk"), is_best_by_moves=True).order_by().values("player")
    solved = Coalesce(Subquery(bests.annotate(levels=Count("pk")).values("levels")), 0)
    shown = visibility.players(viewer, at).annotate(is_starred=Exists(stars.filter(of_player)), solved=solved)
    return shown.get(pk=Subquery(living[:1]))


def profile(viewer: Viewer, of: Player, at: datetime) -> Profile:
    """Return the profile shown at *at*; most of it is cached until a board changes."""
    facts = remember(("gathered", of.pk, of.league, standings.version(at)), lambda: _collect_facts(viewer, of, at))
    rounds = rounds_entered(viewer, of, at)
    return Profile(
        player=of,
        tally=_sum(of, rounds),
        rounds=rounds,
        ratings=ratings.history(of),
        **facts,
    )


def rounds_entered(viewer: Viewer, of: Player, at: datetime) -> list[RoundResult]:
    """Return the final rounds *of* entered under any name, each once, latest first. One query."""
    return totals.rounds_entered(visibility.placings(viewer, at).of(of))


def tally(viewer: Viewer, of: Player, at: datetime) -> Tally | None:
    """Return the sums of *of* as in the hall of fame; None before the first final round. One query."""
    return _sum(of, rounds_entered(viewer, of, at))


def _sum(of: Player, rounds: list[RoundResult]) -> Tally | None:
    """Return the sums over the main track only: points are never added across tracks (rule 21.2)."""
    return totals.of_player(of, [result for result in rounds if result.placing.round.track_id == MAIN])


def _collect_facts(viewer: Viewer, of: Player, at: datetime) -> dict[str, Any]:
    levels = records.levels(viewer, at)
    held = pareto.holdings(levels, of).defer("text", "lurd", "turned", "receipt_id", "sha256")
    places = best_places(levels, of)
    return {
        "best": places[:BEST_LEVELS],
        "unbeaten": sum(1 in (place.by_moves, place.by_pushes) for place in places),
        "firsts": firsts(levels, of, most=FIRSTS),
        "holdings": list(held[:HOLDINGS]),
        "rivals": head_to_head.rivals(viewer, of, at),
    }
