"""Watch a solution that the site's program found after a level's reveal; it is in no ranking (rules 20.4, 20.5)."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.models import Level, Metric
from contest.replays import practice
from contest.vetting import machine, shown
from contest.web.shell.request import Request

# In place of a metric: its public attempt, which no player's solution helped (rule 20.5).
MACHINE = "machine"


@require_safe
def watch(request: Request, number: int, slot: str, metric: str) -> HttpResponse:
    level, found = _find_solution(request, number, slot, metric)
    context = {"level": level, "round": level.round, "metric": metric, "watched": found}
    return render(request, "contest/level/program.html", {**context, "is_attempt": metric == MACHINE})


@require_safe
def moves(request: Request, number: int, slot: str, metric: str) -> HttpResponse:
    """Return the moves as text, for the page that plays them."""
    _level, found = _find_solution(request, number, slot, metric)
    return HttpResponse(found["lurd"], content_type="text/plain; charset=utf-8")


def _find_solution(request: Request, number: int, slot: str, metric: str) -> tuple[Level, dict[str, Any]]:
    at = clock.now()
    level = get_object_or_404(visibility.levels(request.viewer, at), round__number=number, slot=slot)
    found = machine.find_solution(level, at) if metric == MACHINE else None
    found = shown.find_improvement(level, Metric(metric), at) if metric in Metric.values else found
    if found is None:
        raise Http404
    practice.record_all_seen(request.viewer, level.round, at)
    return level, found
