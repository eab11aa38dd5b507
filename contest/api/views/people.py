"""Players' pages, the hall of fame and seasons."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api.base import View, ViewSet
from contest.api.filters import read_choice, read_slice
from contest.api.schema import HALL_BY, LEAGUE, LIMIT, START, TRACK, reads
from contest.api.serializers import people
from contest.api.serializers.base import Wrapper
from contest.api.serializers.rankings import PlayerSerializer
from contest.models import MAIN, League, Player, Season
from contest.stats import hall_of_fame, profiles, seasons
from contest.stats.totals import Tally


@extend_schema_view(list=reads(PlayerSerializer(many=True), "Players with something public, newest first."))
class Players(ViewSet):
    serializer_class = PlayerSerializer
    lookup_url_kwarg, lookup_value_converter = "number", "int"
    page_key = "pk"

    def get_queryset(self) -> QuerySet[Player]:
        return visibility.players(self.viewer, self.at).filter(merged_into=None)

    @reads(people.ProfileSerializer, "A player.")
    def retrieve(self, _request: Request, number: int) -> Response:
        """Return the player; for a merged name, the player it was merged into."""
        try:
            player = profiles.player(self.viewer, number, self.at)
        except Player.DoesNotExist:
            raise Http404 from None
        return Response(people.ProfileSerializer(profiles.profile(self.viewer, player, self.at)).data)


class Ranked:
    """Mixin for a part of a list of players, in a league and a track."""

    def get_league(self: Any) -> League:
        return League(read_choice(self.request, "league", League.values))

    def get_track(self: Any) -> str:
        """Return the requested track, by default the main one."""
        track = self.request.query_params.get("track") or MAIN
        if track != MAIN and not visibility.tracks(self.viewer, self.at).filter(slug=track).exists():
            raise Http404
        return track

    def get_part(self: Any, ranked: Sequence[tuple[int, Tally]]) -> list[Wrapper]:
        start, limit = read_slice(self.request)
        return [Wrapper(tally, rank=rank) for rank, tally in ranked[start : start + limit]]


class Hall(Ranked, View):
    @reads(people.HallSerializer, "The hall of fame.", HALL_BY, LEAGUE, TRACK, START, LIMIT)
    def get(self, request: Request) -> Response:
        by = read_choice(request, "by", list(hall_of_fame.ORDERS))
        league, track = self.get_league(), self.get_track()
        ranked = hall_of_fame.hall(self.viewer, self.at, by=by, league=league, track=track)
        rows = self.get_part(ranked)
        shown = {"by": by, "league": league, "track": track, "count": len(ranked), "results": rows}
        return Response(people.HallSerializer(shown).data)


class Seasons(Ranked, ViewSet):
    lookup_field, lookup_value_converter = "slug", "slug"
    pagination_class = None

    @reads(people.SeasonsSerializer, "The seasons.")
    def list(self, _request: Request) -> Response:
        found = seasons.seasons(self.viewer, self.at)
        return Response(people.SeasonsSerializer({"count": len(found), "results": found}).data)

    @reads(people.WholeSeasonSerializer, "A season and its table.", LEAGUE, TRACK, START, LIMIT)
    def retrieve(self, _request: Request, slug: str) -> Response:
        league = self.get_league()
        try:
            season = seasons.season(self.viewer, slug, self.at)
        except Season.DoesNotExist:
            raise Http404 from None
        track = self.get_track()
        rounds = [round_.number for round_ in seasons.rounds(self.viewer, season, self.at, track)]
        ranked = seasons.table(self.viewer, season, self.at, league, track)
        facts = {"league": league, "track": track, "count": len(ranked), "results": self.get_part(ranked)}
        return Response(people.WholeSeasonSerializer(Wrapper(season, rounds=rounds, **facts)).data)
