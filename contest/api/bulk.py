"""Everything of one kind in one answer, one JSON object a line (NDJSON): for programs that keep a copy of their own."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Min, QuerySet, Sum
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api import pages
from contest.api.base import View, levels_of, viewer_of
from contest.api.objects import serializers
from contest.api.schema import LINES, SINCE, SOK, gives, reads
from contest.infra import cache, clock
from contest.models import Level, Round, Slot, Submission
from contest.replays import practice
from solvers.sokoban.formats import sok
from solvers.sokoban.formats.collection import Collection, Entry

MOST_LINES = 50_000
_ROWS_AT_ONCE = 1_000
# What still waits for its verdict after this long is not waited for: the lists would stand still with it.
_VERDICT_COMES_WITHIN = timedelta(minutes=10)

Line = dict[str, Any]


class Levels(View):
    @gives("Level", LINES, "Every level that is public, the oldest round first.")
    def get(self, request: Request) -> HttpResponseBase:
        levels = visibility.levels(viewer_of(request), clock.now())
        listed = sorted(levels, key=lambda level: (level.round.number, Slot.values.index(level.slot)))
        return answer_lines(map(serializers.level_object, listed))


class Accepted(View):
    @gives("AcceptedLine", LINES, "What was accepted in all rounds, by number.", SINCE)
    def get(self, request: Request) -> HttpResponseBase:
        """What everybody may know of accepted submissions (rules 7.1, 7.4)."""
        at, viewer = clock.now(), viewer_of(request)
        rows = visibility.accepted_submissions(viewer, at)

        def show(row: Submission) -> Line:
            return _line(row, with_hash=visibility.may_see_hashes(row.round, at))

        return _accepted(request, rows, list(visibility.opened_rounds(viewer, at)), at, show)


class Solutions(View):
    @gives("SolutionLine", LINES, "The moves of all rounds whose solutions are public, by number.", SINCE)
    def get(self, request: Request) -> HttpResponseBase:
        """Rule 7.3; a player who reads them is remembered (rule 20.3)."""
        at, viewer = clock.now(), viewer_of(request)
        rounds = [one for one in visibility.opened_rounds(viewer, at) if visibility.are_solutions_public(one, at)]
        for round_ in rounds:
            practice.note_all_seen(viewer, round_, at)
        listed = visibility.accepted_submissions(viewer, at).filter(round__in=rounds, is_unpublished=False)
        rows = listed.defer(None).defer("text", "turned")
        return _accepted(request, rows, rounds, at, lambda row: {**_line(row, with_hash=True), "lurd": row.lurd})


class LevelFile(View):
    @gives("", SOK, "The levels of a round as one file in the Sokoban text format.")
    def get(self, request: Request, number: int) -> HttpResponse:
        at, viewer = clock.now(), viewer_of(request)
        round_ = get_object_or_404(visibility.opened_rounds(viewer, at), number=number)
        levels = levels_of([round_], viewer, at)[round_.pk]
        entries = [Entry(1, 1, level.board, level.title or str(level), level.author) for level in levels]
        disposition = {"Content-Disposition": f'attachment; filename="round-{number}.sok"'}
        return HttpResponse(sok.write(Collection(entries=tuple(entries))), content_type=SOK, headers=disposition)


class Archives(View):
    @reads("ArchiveList", "The archives that may be taken away, newest round first.")
    def get(self, request: Request) -> Response:
        """Rule 24.1."""
        rounds = visibility.archived_rounds(viewer_of(request), clock.now()).order_by("-number")
        listed = [
            {"round": number, "url": pages.absolute(request, reverse("archive", args=[number]))}
            for number in rounds.values_list("number", flat=True)
        ]
        return Response({"results": listed})


def _line(row: Submission, *, with_hash: bool) -> Line:
    return {"round": row.round.number, **serializers.accepted_object(row, with_hash=with_hash)}


def answer_lines(objects: Iterable[Line]) -> HttpResponse:
    return HttpResponse("".join(spell(one) for one in objects), content_type=LINES)


def spell(line: Line) -> str:
    """As one line, its end included."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _accepted(
    request: Request,
    rows: QuerySet[Submission],
    rounds: Sequence[Round],
    at: datetime,
    show: Callable[[Submission], Line],
) -> HttpResponseBase:
    """The rows behind `since`, at most MOST_LINES, sent while they are read."""
    since = pages.whole_number(request, "since", default=0, most=10**9 - 1)
    listed = rows.filter(number__gt=since, number__lt=_first_waiting(at)).order_by("number")
    response = StreamingHttpResponse((spell(show(row)) for row in _in_turn(listed)), content_type=LINES)
    response.headers["ETag"] = _etag(listed, rounds, since, at)
    return response


def _first_waiting(at: datetime) -> int:
    """The number of the first submission without a verdict: who asks again from the last line misses none."""
    waiting = Submission.objects.waiting().filter(received_at__gt=at - _VERDICT_COMES_WITHIN)
    first: int | None = waiting.order_by().aggregate(first=Min("number"))["first"]
    return 10**18 if first is None else first


def _in_turn(rows: QuerySet[Submission]) -> Iterator[Submission]:
    """The rows in order of number, read in short queries: a slow reader holds no cursor open."""
    last, left = 0, MOST_LINES
    while left > 0:
        found = list(rows.filter(number__gt=last)[: min(left, _ROWS_AT_ONCE)])
        yield from found
        left -= len(found)
        if len(found) < _ROWS_AT_ONCE:
            return
        last = found[-1].number


def _etag(rows: QuerySet[Submission], rounds: Sequence[Round], since: int, at: datetime) -> str:
    """What is listed, and whatever may change how: rulings and names raise the versions of boards."""
    versions = Level.objects.filter(round__in=rounds).order_by("round").values_list("round")
    sums = versions.annotate(Sum("board_version"))
    revealed = [round_.pk for round_ in rounds if visibility.may_see_hashes(round_, at)]
    newest = rows.order_by().aggregate(newest=Max("number"))["newest"]
    count = rows[: MOST_LINES + 1].count()
    facts = (get_language(), since, list(sums), revealed, newest, count)
    return f'"{cache.digest(facts)}"'
