"""Small pages for frames on other sites (docs/reference/sharing.md): a level, its standings."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.models import CollectedLevel, Level, Metric
from contest.rankings import standings
from contest.visibility import Viewer
from contest.web.shell.framing import allow_framing, allow_framing_in_a_sandbox
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


@allow_framing_in_a_sandbox
def play_frame(request: Request, number: int, slot: str) -> HttpResponse:
    """Show a round's level to play; its solution leads to the site, where it can be sent."""
    return _render_playable(request, public_level(number, slot), reverse("play", args=[number, slot]))


@allow_framing_in_a_sandbox
def collected_play_frame(request: Request, slug: str, place: int) -> HttpResponse:
    """Show a collection's level to play."""
    return _render_playable(request, public_collected_level(slug, place), reverse("collected-play", args=[slug, place]))


def _render_playable(request: Request, level: Level | CollectedLevel, full_page: str) -> HttpResponse:
    return render(request, "contest/embed/play.html", {"level": level, "full_page": full_page, "is_embedded": True})


@require_safe
def share_page(request: Request, number: int, slot: str) -> HttpResponse:
    """Show snippets to paste into forums and other sites."""
    level = public_level(number, slot)
    rankings = [(metric, standings.standings(level, metric, limit=MOST_ROWS)) for metric in Metric]
    return render(request, "contest/sharing/share.html", {**_level_context(level), "rankings": rankings})


def public_level(number: int, slot: str) -> Level:
    """Return a level that anonymous viewers may see, or raise Http404."""
    return get_object_or_404(visibility.levels(Viewer(), clock.now()), round__number=number, slot=slot)


def public_collected_level(slug: str, place: int) -> CollectedLevel:
    """Return a public level of a collection, or raise Http404."""
    levels = visibility.collected_levels(Viewer(), clock.now()).select_related("collection")
    return get_object_or_404(levels, collection__slug=slug, place=place)


def _level_context(level: Level) -> dict[str, object]:
    return {"level": level, "round": level.round, "phase": level.round.phase(clock.now())}
