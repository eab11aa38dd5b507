"""The page on which a level is played and its solution sent, and what its script asks for."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_safe

from contest import clock, pareto, standings, visibility
from contest.models import Board, Metric
from contest.phases import Phase
from contest.web import entering
from contest.web.forms import EntryForm
from contest.web.sentences import of_scripts
from contest.web.views import Request, remembered


@never_cache
@require_safe
def play_page(request: Request, number: int, slot: str) -> HttpResponse:
    """Without its script the page says what to do instead: the level as text, and the form."""
    at = clock.now()
    level = get_object_or_404(visibility.levels(request.viewer, at), round__number=number, slot=slot)
    phase = level.round.phase(at)
    is_practice = phase is not Phase.OPEN and visibility.is_revealed(level.round, at)
    known = {**remembered(request), "round": number, "slot": slot, "practice": is_practice}
    return render(
        request,
        "contest/play.html",
        {
            "level": level,
            "round": level.round,
            "phase": phase,
            "form": EntryForm(initial=known) if phase is Phase.OPEN or is_practice else None,
            "is_practice": is_practice,
            "facts": {
                "sentences": of_scripts(),
                "numbers": entering.numbers_address(level, is_practice=is_practice),
            },
            "bests": [(metric, row) for metric in Metric for row in standings.standings(level, metric, limit=1)],
        },
    )


@conditional_page
@cache_control(private=True, no_cache=True)
@require_safe
def numbers_json(request: Request, number: int, slot: str) -> HttpResponse:
    """Everybody's numbers in both rankings, from which a page previews a rank (rule 7.7); of all times for practice."""
    level = get_object_or_404(visibility.levels(request.viewer, clock.now()), round__number=number, slot=slot)
    board = pareto.ALL_TIME if "practice" in request.GET else Board.CONTEST
    return JsonResponse({metric.value: standings.numbers(level, metric, board=board) for metric in Metric})
