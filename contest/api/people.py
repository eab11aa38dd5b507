"""What players have gathered: their pages, the hall of fame and seasons, for programs."""

from collections.abc import Sequence
from datetime import datetime

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api import pages
from contest.api.authentication import viewer_of
from contest.api.base import View, choice
from contest.api.objects import people
from contest.api.objects.components import PLAYER_PAGE
from contest.api.objects.people import RankedPlayer
from contest.api.schema import CURSOR, HALL_BY, LEAGUE, LIMIT, START, TRACK, reads
from contest.infra import clock
from contest.models import MAIN, League, Player, Season
from contest.stats import hall_of_fame, profiles, seasons
from contest.stats.totals import Tally
from contest.visibility import Viewer


class OnePlayer(View):
    @reads("Profile", "A player.")
    def get(self, request: Request, number: int) -> Response:
        """A merged name shows the player it leads to."""
        at, viewer = clock.now(), viewer_of(request)
        try:
            player = profiles.player(viewer, number, at)
        except Player.DoesNotExist:
            raise Http404 from None
        return Response(people.PROFILE.show(profiles.profile(viewer, player, at)))


class Players(View):
    @reads("PlayerPage", "Players with something public, newest first.", LIMIT, CURSOR)
    def get(self, request: Request) -> Response:
        """Everybody with something public, the newest first."""
        shown = visibility.players(viewer_of(request), clock.now()).filter(merged_into=None)
        return Response(PLAYER_PAGE.show(pages.page(request, shown, list, key="pk")))


class Hall(View):
    @reads("Hall", "The hall of fame.", HALL_BY, LEAGUE, TRACK, START, LIMIT)
    def get(self, request: Request) -> Response:
        by = choice(request, "by", list(hall_of_fame.ORDERS))
        league = League(choice(request, "league", League.values))
        at, viewer = clock.now(), viewer_of(request)
        track = _track(request, viewer, at)
        ranked = hall_of_fame.hall(viewer, at, by=by, league=league, track=track)
        return Response(people.HALL.show(people.Hall(by, league, track, len(ranked), _part(request, ranked))))


class Seasons(View):
    @reads("Seasons", "The seasons.")
    def get(self, request: Request) -> Response:
        return Response(people.SEASONS.show(seasons.seasons(viewer_of(request), clock.now())))


class OneSeason(View):
    @reads("WholeSeason", "A season and its table.", LEAGUE, TRACK, START, LIMIT)
    def get(self, request: Request, slug: str) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        league = League(choice(request, "league", League.values))
        try:
            season = seasons.season(viewer, slug, at)
        except Season.DoesNotExist:
            raise Http404 from None
        track = _track(request, viewer, at)
        rounds = [round_.number for round_ in seasons.rounds(viewer, season, at, track)]
        ranked = seasons.table(viewer, season, at, league, track)
        table = people.SeasonTable(season, rounds, league, track, len(ranked), _part(request, ranked))
        return Response(people.WHOLE_SEASON.show(table))


def _track(request: Request, viewer: Viewer, at: datetime) -> str:
    """The track asked for, by default the main one."""
    track = request.query_params.get("track") or MAIN
    if track != MAIN and not visibility.tracks(viewer, at).filter(slug=track).exists():
        raise Http404
    return track


def _part(request: Request, ranked: Sequence[tuple[int, Tally]]) -> list[RankedPlayer]:
    start, limit = pages.part(request)
    return [RankedPlayer(*one) for one in ranked[start : start + limit]]
