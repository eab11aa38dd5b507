"""Complete lists in one response, one JSON object a line (NDJSON), for programs that keep their own copy."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Max, Sum
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api.base import View, levels_of
from contest.api.feeds import lines
from contest.api.feeds.lines import Line, Rows, render_line
from contest.api.filters import LARGEST_NUMBER, read_whole_number
from contest.api.schema import LINES, SINCE, SOK, gives, reads
from contest.api.serializers.library import OptimumLineSerializer
from contest.api.serializers.rankings import AcceptedLineSerializer, SolutionLineSerializer
from contest.api.serializers.rounds import ArchiveListSerializer, LevelLineSerializer
from contest.api.throttling import pass_reading
from contest.infra import cache, rate_limits
from contest.infra.site_address import absolute_url
from contest.levels.files import entry_of
from contest.models import Level
from contest.replays import practice
from solvers.sokoban.formats import sok
from solvers.sokoban.formats.collection import Collection

MOST_LINES = 50_000
LINES_PER_PASS, LETTERS_PER_PASS = 100, 1_000_000  # each as long as a page: 0.03 s


class Levels(View):
    @gives(LevelLineSerializer, LINES, "Every level that is public, the oldest round first.")
    def get(self, _request: Request) -> HttpResponseBase:
        return answer_lines(lines.levels(self.viewer, self.at))


class Optima(View):
    @gives(OptimumLineSerializer, LINES, "The proved optima of public levels, with their certificates.")
    def get(self, _request: Request) -> HttpResponseBase:
        return answer_lines(lines.optima(self.viewer, self.at))


class AcceptedSubmissions(View):
    @gives(AcceptedLineSerializer, LINES, "What was accepted in all rounds, by number.", SINCE, refusals=[429])
    def get(self, request: Request) -> HttpResponseBase:
        at, since = self.at, _since(request)
        return _answer(request, lines.submissions(self.viewer, at, since), since, at)


class Solutions(View):
    @gives(
        SolutionLineSerializer,
        LINES,
        "The moves of all rounds whose solutions are public, by number.",
        SINCE,
        refusals=[429],
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Rule 7.3. Record that the player has seen the solutions (rule 20.3)."""
        at, viewer, since = self.at, self.viewer, _since(request)
        listed = lines.solutions(viewer, at, since)
        for round_ in listed.rounds:
            practice.record_all_seen(viewer, round_, at)
        return _answer(request, listed, since, at)


class LevelFile(View):
    @gives(None, SOK, "The levels of a round as one file in the Sokoban text format.")
    def get(self, _request: Request, number: int) -> HttpResponse:
        at, viewer = self.at, self.viewer
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        levels = levels_of([round_], viewer, at)[round_.pk]
        disposition = {"Content-Disposition": f'attachment; filename="round-{number}.sok"'}
        text = sok.write(Collection(entries=tuple(map(entry_of, levels))))
        return HttpResponse(text, content_type=SOK, headers=disposition)


class Archives(View):
    @reads(ArchiveListSerializer, "The archives that may be taken away, newest round first.")
    def get(self, request: Request) -> Response:
        """Rule 24.1."""
        rounds = visibility.archived_rounds(self.viewer, self.at).order_by("-number")
        listed = [
            {"round": number, "url": absolute_url(request, reverse("archive", args=[number]))}
            for number in rounds.values_list("number", flat=True)
        ]
        return Response(ArchiveListSerializer({"results": listed}).data)


def answer_lines(objects: Iterable[Line]) -> HttpResponse:
    return HttpResponse("".join(render_line(line) for line in objects), content_type=LINES)


def _since(request: Request) -> int:
    return read_whole_number(request, "since", default=0, most=LARGEST_NUMBER)


def _answer(request: Request, listed: Rows, since: int, at: datetime) -> HttpResponseBase:
    """Stream at most MOST_LINES rows after *since*, as they are read; they count unless nothing changed."""
    count = listed.rows[: MOST_LINES + 1].count()
    etag = _etag(listed, count, since, at)
    if request.headers.get("If-None-Match", "").removeprefix("W/") != etag:
        _count_lines(request, listed, min(count, MOST_LINES))
    response = StreamingHttpResponse(map(render_line, listed.lines(MOST_LINES)), content_type=LINES)
    response.headers["ETag"] = etag
    return response


def _count_lines(request: Request, listed: Rows, count: int) -> None:
    """Count *count* lines, and their moves, against the client's address (rule 5.9). Raise Throttled."""
    letters = listed.rows[:count].aggregate(all=Sum("moves"))["all"] or 0 if listed.with_moves else 0
    amount = 1 + count // LINES_PER_PASS + letters // LETTERS_PER_PASS
    pass_reading(request, rate_limits.LISTS, amount=amount)


def _etag(listed: Rows, count: int, since: int, at: datetime) -> str:
    """Return a digest of the list and all that changes it; rulings and renames raise the board versions."""
    versions = Level.objects.filter(round__in=listed.rounds).order_by("round").values_list("round")
    sums = versions.annotate(Sum("board_version"))
    revealed = [round_.pk for round_ in listed.rounds if visibility.may_see_hashes(round_, at)]
    newest = listed.rows.order_by().aggregate(newest=Max("number"))["newest"]
    facts = (get_language(), since, list(sums), revealed, newest, count)
    return f'"{cache.digest(facts)}"'
