"""The coach's pages, which show where a public replay or an own solution loses moves or pushes.

A solution that may not be seen and one that does not exist get the same answer, 404. Of a level in play the page says
that there is no analysis, as after a search that broke off.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contest import levels, visibility
from contest.celery import waking
from contest.infra import client_ip, clock
from contest.infra.rate_limits import QUESTION, costs
from contest.models import CollectedLevel, Level, LevelResult, Metric, Search, Submission
from contest.rendering.boards import drawing
from contest.replays import practice
from contest.vetting import coaching, shown
from contest.vetting.asking import Asker, Refused
from contest.vetting.coaching import Coached, CostLine
from contest.web.shell.request import Request

# A longer list shows the stretches that lose most.
MOST_LISTED = 100
LARGEST_NUMBER = 2**63 - 1
_STEPS = {"l": -1, "u": -1j, "r": 1, "d": 1j}


@dataclass(frozen=True)
class Watched:
    """A solution on the coach's page: its level, and the page of its replay or receipt."""

    solution: Submission | LevelResult
    level: Level | CollectedLevel
    page: str

    @property
    def coached(self) -> Coached:
        """The solution without the bounds of its level, which only an answer needs."""
        return Coached(self.level.board, self.solution.lurd, {})

    def bounds(self, at: datetime) -> Mapping[str, int]:
        """Return the counts that no solution beats, as far as that is proved and public."""
        if isinstance(self.level, Level):
            return shown.get_bounds(self.level, at, levels.least_pushes(self.level))
        return {metric.value: getattr(self.level, f"least_{metric}") or 0 for metric in Metric}

    def best(self, at: datetime) -> Mapping[str, Submission]:
        """Return the best submitted solutions by each count; {} for a collection's level."""
        return shown.best_solutions(self.level, at) if isinstance(self.level, Level) else {}


@costs(QUESTION)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def coach_replay(request: Request, number: int, submission: int) -> HttpResponse:
    """Show where a public solution loses."""
    at = clock.now()
    replay = _public_solution(request, number, submission, at)
    practice.record_seen(request.viewer, replay, at)
    return _respond(request, _of_round(replay, reverse("replay", args=[number, submission])), at)


@costs(QUESTION)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def coach_own(request: Request, receipt_id: str) -> HttpResponse:
    """Show the player where an own solution of a revealed level loses; the link alone does not prove the nickname."""
    at = clock.now()
    try:
        submission = visibility.by_receipt(receipt_id)
    except Submission.DoesNotExist:
        raise Http404 from None
    if not may_coach_own(request, submission, at):
        raise Http404
    return _respond(request, _of_round(submission, submission.get_absolute_url()), at)


@costs(QUESTION)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def coach_collected(request: Request, receipt_id: str) -> HttpResponse:
    """Show where a solution of a collection's level loses, to any client with the link to its receipt."""
    try:
        result = visibility.result_by_receipt(receipt_id)
    except LevelResult.DoesNotExist:
        raise Http404 from None
    page = reverse("collected-receipt", args=[receipt_id])
    return _respond(request, Watched(result, result.level, page), clock.now())


def may_coach_own(request: Request, submission: Submission, at: datetime) -> bool:
    """Return whether the viewer owns *submission* and its level is revealed; `is_available` decides the rest."""
    is_finished = submission.is_accepted and visibility.is_revealed(submission.round, at)
    return is_finished and request.viewer.owns(submission)


def coach_url(request: Request, solution: Submission | LevelResult) -> str:
    """Return the URL of the coach's page for an own solution; "" while it is not available.

    A solution of a collection's level with both counts proved to be the least loses nothing.
    """
    level = solution.level
    if all(getattr(level, f"least_{metric}", None) == getattr(solution, metric) for metric in Metric):
        return ""
    if isinstance(solution, Submission) and not may_coach_own(request, solution, clock.now()):
        return ""
    if level is None or not coaching.is_available(level.board, solution.lurd):
        return ""
    name = "coach-own" if isinstance(solution, Submission) else "coach-collected"
    return reverse(name, args=[solution.receipt_id])


def _public_solution(request: Request, number: int, submission: int, at: datetime) -> Submission:
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    if submission > LARGEST_NUMBER:
        raise Http404
    replay = get_object_or_404(visibility.replays(request.viewer, round_, at), number=submission)
    if not replay.is_accepted:
        raise Http404
    return replay


def _of_round(submission: Submission, page: str) -> Watched:
    if submission.level is None:
        raise Http404
    return Watched(submission, submission.level, page)


def _respond(request: Request, watched: Watched, at: datetime) -> HttpResponse:
    coached = watched.coached
    if not coaching.is_available(coached.board, coached.lurd):
        raise Http404
    if request.GET.get("part") == "moves":
        return HttpResponse(coached.lurd, content_type="text/plain; charset=utf-8")
    is_part, status, refused = request.GET.get("part") == "coach", 200, None
    if request.method == "POST":
        try:
            _act(request, coached, at)
        except Refused as refusal:
            status, refused = refusal.status, refusal.message
        else:
            if not is_part:
                return redirect(request.path)
    context = _describe(request, watched, at) | {"refused": refused}
    template = "contest/replays/_coach.html" if is_part else "contest/replays/coach.html"
    return render(request, template, context, status=status)


def _act(request: Request, coached: Coached, at: datetime) -> None:
    asker = _asker_of(request)
    if request.POST.get("do") == "stop":
        coaching.stop(coached, asker)
        return
    coaching.find(coached, at)  # deletes an outdated answer
    coaching.order(coached, asker, at)
    waking.wake_solver()


def _asker_of(request: Request) -> Asker:
    return Asker(request.viewer, client_ip.sender_of(request))


def _describe(request: Request, watched: Watched, at: datetime) -> dict[str, object]:
    search = coaching.find(watched.coached, at)
    return {
        "watched": watched,
        "replay": watched.solution,
        "level": watched.level,
        "picture": drawing(watched.level.board, ruler=True),
        "search": search,
        "may_stop": bool(search and search.is_waiting and coaching.may_stop(search, _asker_of(request))),
        "lines": _shown_lines(watched, search, at) if search and search.is_done else [],
        "coach_page": request.path,
    }


def _shown_lines(watched: Watched, search: Search, at: datetime) -> list[dict[str, object]]:
    best = watched.best(at)
    return [
        {"line": line, "listed": _largest(line), **_parting(watched.solution, best.get(line.metric))}
        for line in coaching.cost_lines(replace(watched.coached, least=watched.bounds(at)), search)
    ]


def _largest(line: CostLine) -> list[object]:
    largest = sorted(line.stretches, key=lambda stretch: stretch.lost(line.metric), reverse=True)[:MOST_LISTED]
    return [*sorted(largest, key=lambda stretch: stretch.start)]


def _parting(solution: Submission | LevelResult, best: Submission | None) -> dict[str, object]:
    """Return the best solution and the push where it and *solution* part; nothing if they push alike."""
    if best is None or best.pk == solution.pk:
        return {}
    common, own = (
        count_common_pushes(solution.lurd, best.lurd),
        [at for at, step in enumerate(solution.lurd) if step.isupper()],
    )
    if common == len(own):
        return {}
    return {"best": best, "parts_at": common + 1, "parts_after": own[common - 1] + 1 if common else 0}


def count_common_pushes(lurd: str, other: str) -> int:
    """Return how many pushes two solutions of one level begin with alike.

    >>> count_common_pushes("rRuL", "RR")
    0
    >>> count_common_pushes("RudR", "RRR")
    2
    """
    pairs = zip(_pushes(lurd), _pushes(other), strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _pushes(lurd: str) -> list[tuple[complex, str]]:
    """Return where the pusher is after each push, from its start, and the direction."""
    at, pushes = 0j, []
    for letter in lurd:
        at += _STEPS[letter.lower()]
        if letter.isupper():
            pushes.append((at, letter))
    return pushes
