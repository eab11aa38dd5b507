"""Watch the solution that the site's program found after a level's reveal; it is in no ranking (rule 20.4)."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.models import Level, Metric
from contest.vetting import shown
from contest.web.shell.request import Request


@require_safe
def watch(request: Request, number: int, slot: str, metric: str) -> HttpResponse:
    level, found = _find_solution(request, number, slot, metric)
    context = {"level": level, "round": level.round, "metric": metric, "watched": found}
    return render(request, "contest/level/program.html", context)


@require_safe
def moves(request: Request, number: int, slot: str, metric: str) -> HttpResponse:
    """Return the moves as text, for the page that plays them."""
    _level, found = _find_solution(request, number, slot, metric)
    return HttpResponse(found["lurd"], content_type="text/plain; charset=utf-8")


def _find_solution(request: Request, number: int, slot: str, metric: str) -> tuple[Level, dict[str, Any]]:
    at = clock.now()
    level = get_object_or_404(visibility.levels(request.viewer, at), round__number=number, slot=slot)
    found = shown.find_improvement(level, Metric(metric), at) if metric in Metric.values else None
    if found is None:
        raise Http404
    return level, found
