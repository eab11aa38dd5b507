"""What players have gathered: their pages, the hall of fame and seasons, for programs."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api import pages
from contest.api.base import View, choice, viewer_of
from contest.api.objects import serializers
from contest.api.objects.serializers import time
from contest.api.schema import CURSOR, HALL_BY, LEAGUE, LIMIT, START, reads
from contest.api.views import FARTHEST_START
from contest.infra import clock
from contest.models import League, Player, Season
from contest.stats import hall_of_fame, profiles, seasons
from contest.stats.profiles import Profile
from contest.stats.totals import Tally


class OnePlayer(View):
    @reads("Profile", "A player.")
    def get(self, request: Request, number: int) -> Response:
        """A merged name shows the player it leads to."""
        at, viewer = clock.now(), viewer_of(request)
        try:
            player = profiles.player(viewer, number, at)
        except Player.DoesNotExist:
            raise Http404 from None
        return Response(profile_object(profiles.profile(viewer, player, at)))


class Players(View):
    @reads("PlayerPage", "Players with something public, newest first.", LIMIT, CURSOR)
    def get(self, request: Request) -> Response:
        """Everybody with something public, the newest first."""
        shown = visibility.players(viewer_of(request), clock.now()).filter(merged_into=None)
        listed = pages.page(request, shown, lambda rows: list(map(serializers.player_object, rows)), key="pk")
        return Response(listed)


class Hall(View):
    @reads("Hall", "The hall of fame.", HALL_BY, LEAGUE, START, LIMIT)
    def get(self, request: Request) -> Response:
        by = choice(request, "by", list(hall_of_fame.ORDERS))
        league = League(choice(request, "league", League.values))
        ranked = hall_of_fame.hall(viewer_of(request), clock.now(), by=by, league=league)
        return Response({"by": by, "league": league, **_page(request, ranked)})


class Seasons(View):
    @reads("Seasons", "The seasons.")
    def get(self, request: Request) -> Response:
        known = seasons.seasons(viewer_of(request), clock.now())
        return Response({"count": len(known), "results": list(map(season_object, known))})


class OneSeason(View):
    @reads("WholeSeason", "A season and its table.", LEAGUE, START, LIMIT)
    def get(self, request: Request, slug: str) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        league = League(choice(request, "league", League.values))
        try:
            season = seasons.season(viewer, slug, at)
        except Season.DoesNotExist:
            raise Http404 from None
        shown = {
            **season_object(season),
            "rounds": [round_.number for round_ in seasons.rounds(viewer, season, at)],
            "league": league,
        }
        return Response({**shown, **_page(request, seasons.table(viewer, season, at, league))})


def _page(request: Request, ranked: list[tuple[int, Tally]]) -> dict[str, Any]:
    start = pages.whole_number(request, "start", default=0, most=FARTHEST_START)
    limit = pages.whole_number(request, "limit", default=pages.LARGEST_PAGE, least=1, most=pages.LARGEST_PAGE)
    results = [{"rank": rank, **tally_object(tally)} for rank, tally in ranked[start : start + limit]]
    return {"count": len(ranked), "results": results}


def season_object(season: Season) -> dict[str, Any]:
    return {
        "season": season.slug,
        "title": str(season),
        "begins_at": time(season.begins_at),
        "ends_at": time(season.ends_at),
    }


def tally_object(tally: Tally) -> dict[str, Any]:
    """Sums over final rounds; points in half points, which add up exactly (rule 9.3)."""
    counts = ("rounds", "half_points", "mmc", "mpc", "second", "lucky", "firsts_by_moves", "firsts_by_pushes")
    sums = {name: getattr(tally, name) for name in (*counts, "first", "last")}
    return {"player": serializers.player_object(tally.player), **sums}


def profile_object(profile: Profile) -> dict[str, Any]:
    newest = profile.newest_rating
    return {
        **serializers.player_object(profile.player),
        "total": tally_object(profile.tally) if profile.tally else None,
        "rating": {"mu": newest.mu, "sigma": newest.sigma} if newest else None,
        "rounds": [
            {
                "round": entered.placing.round.number,
                "place": entered.placing.place,
                "half_points": entered.placing.total,
                "titles": entered.titles,
            }
            for entered in profile.rounds
        ],
        "best_levels": [
            {
                "round": place.level.round.number,
                "slot": place.level.slot,
                "rank_by_moves": place.by_moves,
                "rank_by_pushes": place.by_pushes,
            }
            for place in profile.best
        ],
        "pareto": [
            {
                "round": held.level.round.number if held.level else None,
                "slot": held.level.slot if held.level else None,
                "number": held.number,
                "moves": held.moves,
                "pushes": held.pushes,
            }
            for held in profile.holdings
        ],
    }
