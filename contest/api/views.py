"""The API's doors: each reads a request, calls one act or asks for rows, and shows the answer."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NoReturn

from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contest import addresses, cached, clock, pareto, standings, submissions, visibility
from contest.api import pages, parsers, renderers, serializers
from contest.api.errors import FieldError, Invalid
from contest.models import Door, Level, Metric, Player, Round, Slot, Submission
from contest.phases import Phase
from contest.visibility import Viewer

LONGEST_WAIT = 5
FARTHEST_START = 1_000_000
LARGEST_NUMBER = 999_999_999


# The ETag is a digest of the answer, so it changes with whatever the reader would see change.
@method_decorator([conditional_page, cache_control(private=True, no_cache=True)], name="dispatch")
class View(APIView):
    content_negotiation_class = renderers.OnlyJSON
    metadata_class = None
    http_method_names = ["get", "head", "post"]
    parser_classes = [parsers.JSON]


class Submissions(View):
    def post(self, request: Request) -> Response:
        entry = serializers.entry(request.data, request.headers.get("Idempotency-Key", ""))
        # No viewer: a cookie proves nothing here, so that no other site can submit in a visitor's name.
        receipt = submissions.accept(entry, door=Door.API, address=addresses.sender_of(request))
        url = pages.absolute(request, reverse("api-submission", args=[receipt.submission.receipt_id]))
        shown = serializers.receipt_object(receipt.submission, claim=receipt.claim, url=url)
        return Response(shown, status=202, headers={"Location": url})


class OneSubmission(View):
    def get(self, request: Request, receipt_id: str) -> Response:
        seconds = pages.whole_number(request, "wait", default=0, most=LONGEST_WAIT)
        try:
            submission = visibility.by_receipt(receipt_id)
        except Submission.DoesNotExist:
            raise Http404 from None
        if seconds and submission.is_pending:
            submission = submissions.verdict_soon(submission, seconds)
        return Response(serializers.submission_object(submission))


class Rounds(View):
    def get(self, request: Request) -> Response:
        at, viewer = clock.now(), _viewer(request)

        def show(rounds: Sequence[Round]) -> list[dict[str, Any]]:
            levels = _levels(rounds, viewer, at)
            return [serializers.round_object(round_, levels[round_.pk], at) for round_ in rounds]

        return Response(pages.page(request, visibility.rounds(viewer, at), show))


class OneRound(View):
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), _viewer(request)
        round_ = get_object_or_404(visibility.rounds(viewer, at), number=number)
        return Response(serializers.round_object(round_, _levels([round_], viewer, at)[round_.pk], at))


class Chain(View):
    def get(self, request: Request, number: int) -> Response:
        at, viewer = clock.now(), _viewer(request)
        round_ = get_object_or_404(visibility.opened(viewer, at), number=number)
        return Response(serializers.chain_object(round_, visibility.chain_link(round_, at)))


class OneLevel(View):
    def get(self, request: Request, number: int, slot: str) -> Response:
        return Response(serializers.level_object(_level(request, number, slot, clock.now())))


class Standings(View):
    def get(self, request: Request, number: int, slot: str) -> HttpResponseBase:
        at = clock.now()
        level = _level(request, number, slot, at)
        metric = Metric(_choice(request, "by", Metric.values))
        league = _league(request, level)
        board = _choice(request, "board", standings.boards(level))
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
        level = _level(request, number, slot, at)
        league = _league(request, level)
        points = [serializers.front_point(point) for point in pareto.points(level, league)]
        return Response({**_board_object(level, league, at), "count": len(points), "results": points})


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


def _league(request: Request, level: Level) -> str:
    """The league asked for; by default the one the round ranks (rule 16.4)."""
    usual = standings.default_league(level.round)
    return _choice(request, "league", sorted(standings.LEAGUES, key=lambda league: league != usual))


def _viewer(request: Request) -> Viewer:
    viewer: Viewer = request._request.viewer  # type: ignore[attr-defined] # set by contest.middleware
    return viewer


def _level(request: Request, number: int, slot: str, at: datetime) -> Level:
    return get_object_or_404(visibility.levels(_viewer(request), at), round__number=number, slot=slot)


def _levels(rounds: Sequence[Round], viewer: Viewer, at: datetime) -> dict[int, list[Level]]:
    """The levels of *rounds* that may be seen, in one query."""
    found: dict[int, list[Level]] = defaultdict(list)
    levels = visibility.levels(viewer, at).filter(round__in=rounds)
    for level in sorted(levels, key=lambda level: Slot.values.index(level.slot)):
        found[level.round_id].append(level)
    return found


def _choice(request: Request, name: str, choices: Sequence[str]) -> str:
    """The query's *name*, one of *choices*; the first where it is absent."""
    chosen = request.query_params.get(name, choices[0])
    if chosen not in choices:
        words = _("This must be one of: %(choices)s.") % {"choices": ", ".join(choices)}
        raise Invalid(FieldError(name, "unknown_choice", words))
    return chosen
