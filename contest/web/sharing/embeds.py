"""Small pages for frames on other sites (docs/reference/sharing.md): a level, its standings."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.models import Level, Metric
from contest.rankings import standings
from contest.visibility import Viewer
from contest.web.shell.framing import allow_framing
from contest.web.shell.request import Request

MOST_ROWS = 20


@allow_framing
def standings_frame(request: Request, number: int, slot: str) -> HttpResponse:
    """Show the first rows of a ranking, `?by=moves` or `?by=pushes`."""
    level = public_level(number, slot)
    try:
        metric = Metric(request.GET.get("by", Metric.MOVES))
    except ValueError:
        raise Http404("by") from None
    context = {
        **_level_context(level),
        "metric": metric,
        "rows": standings.standings(level, metric, limit=MOST_ROWS),
        "count": standings.count(level, metric),
        "full_page": reverse(f"by_{metric}", args=[number, slot]),
    }
    return render(request, "contest/embed/standings.html", context)


@allow_framing
def level_frame(request: Request, number: int, slot: str) -> HttpResponse:
    level = public_level(number, slot)
    context = {**_level_context(level), "full_page": level.get_absolute_url()}
    return render(request, "contest/embed/level.html", context)


@require_safe
def share_page(request: Request, number: int, slot: str) -> HttpResponse:
    """Show snippets to paste into forums and other sites."""
    level = public_level(number, slot)
    rankings = [(metric, standings.standings(level, metric, limit=MOST_ROWS)) for metric in Metric]
    return render(request, "contest/sharing/share.html", {**_level_context(level), "rankings": rankings})


def public_level(number: int, slot: str) -> Level:
    """Return a level that anonymous viewers may see, or raise Http404."""
    return get_object_or_404(visibility.levels(Viewer(), clock.now()), round__number=number, slot=slot)


def _level_context(level: Level) -> dict[str, object]:
    return {"level": level, "round": level.round, "phase": level.round.phase(clock.now())}
