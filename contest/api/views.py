"""The API's doors: each reads a request, calls one act or asks for rows, and shows the answer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NoReturn

from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from rest_framework.request import Request
from rest_framework.response import Response

from contest import cached, clock, pareto, standings, visibility
from contest.api import pages, serializers
from contest.api.authentication import needed_token
from contest.api.base import View, choice, league_of, level_of, levels_of, viewer_of
from contest.models import Level, Metric, Player, Round, Scope
from contest.phases import Phase

FARTHEST_START = 1_000_000
LARGEST_NUMBER = 999_999_999


class Rounds(View):
    def get(self, request: Request) -> Response:
        at, viewer = clock.now(), viewer_of(request)

        def show(rounds: Sequence[Round]) -> list[dict[str, Any]]:
            levels = levels_of(rounds, viewer, at)
            return [serializers.round_object(round_, levels[round_.pk], at) for round_ in rounds]

        return Response(pages.page(request, visibility.rounds(viewer, at), show))


class OneRound(View):
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.rounds(viewer, at), number=number)
        return Response(serializers.round_object(round_, levels_of([round_], viewer, at)[round_.pk], at))


class Chain(View):
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened(viewer, at), number=number)
        return Response(serializers.chain_object(round_, visibility.chain_link(round_, at)))


class OneLevel(View):
    def get(self, request: Request, number: int, slot: str) -> Response:
        return Response(serializers.level_object(level_of(request, number, slot, clock.now())))


class Standings(View):
    def get(self, request: Request, number: int, slot: str) -> HttpResponseBase:
        at = clock.now()
        level = level_of(request, number, slot, at)
        metric = Metric(choice(request, "by", Metric.values))
        league = league_of(request, level)
        board = choice(request, "board", standings.boards(level))
        start = pages.whole_number(request, "start", default=0, most=FARTHEST_START)
        limit = pages.whole_number(request, "limit", default=pages.LARGEST_PAGE, least=1, most=pages.LARGEST_PAGE)
        around = pages.whole_number(request, "around", default=0, most=LARGEST_NUMBER)
        facts = {**_board_object(level, league, at), "by": metric, "board": board}
        # Whatever changes what is shown raises the board's version, so nobody need rank to know that nothing changed.
        version = (level.pk, *facts.items(), start, limit, around)
        etag = f'"{cached.digest(version)}"'
        if unchanged := get_conditional_response(request, etag=etag):
            return unchanged

        def rank() -> dict[str, Any]:
            if around:
                player = Player.objects.filter(pk=around).first()
                rows = standings.around(level, metric, player, league=league, board=board) if player else []
            else:
                rows = standings.standings(level, metric, league=league, board=board, start=start, limit=limit)
            count = standings.count(level, metric, league=league, board=board)
            return {**facts, "count": count, "results": [serializers.standings_row(row) for row in rows]}

        return Response(cached.cached(("standings", version), rank), headers={"ETag": etag})


class Pareto(View):
    def get(self, request: Request, number: int, slot: str) -> Response:
        at = clock.now()
        level = level_of(request, number, slot, at)
        league = league_of(request, level)
        points = [serializers.front_point(point) for point in pareto.points(level, league)]
        return Response({**_board_object(level, league, at), "count": len(points), "results": points})


class AboutToken(View):
    def get(self, request: Request) -> Response:
        return Response(serializers.token_object(needed_token(request, Scope.READ)))


class Time(View):
    def get(self, _request: Request) -> Response:
        return Response({"time": serializers.time(clock.now())})


class Nothing(View):
    """Every other address: a program gets a problem document, not a page."""

    def initial(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise Http404


def _board_object(level: Level, league: str, at: datetime) -> dict[str, Any]:
    """What every list of a level's results says of itself."""
    return {
        "round": level.round.number,
        "slot": level.slot,
        "league": league,
        "board_version": level.board_version,
        "provisional": level.round.phase(at) != Phase.FINAL,
        "void": level.voided_at is not None,
    }
