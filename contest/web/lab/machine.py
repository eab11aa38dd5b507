"""Challenge the machine: open challenges, levels it has decided, and questions for another attempt (rule 20.5)."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from contest import visibility
from contest.celery import waking
from contest.infra import clock
from contest.infra.rate_limits import QUESTION, costs
from contest.vetting import machine
from contest.vetting.asking import Refused
from contest.web.lab.solver import asker_of
from contest.web.shell.request import Request

PER_PAGE, MOST_DECIDED = 50, 30


@require_safe
def challenges(request: Request) -> HttpResponse:
    """List the levels that no program has solved, and the newest that the machine has decided."""
    return _render_list(request)


@never_cache
@costs(QUESTION)
@require_POST
def again(request: Request, number: int, slot: str) -> HttpResponse:
    """Ask for another attempt at an open challenge."""
    at = clock.now()
    level = get_object_or_404(visibility.playable_levels(request.viewer, at), round__number=number, slot=slot)
    try:
        machine.ask_again(level, asker_of(request), at=at)
    except Refused as refusal:
        return _render_list(request, refusal)
    waking.wake_solver()
    return redirect(f"{reverse('machine')}#{number}-{slot}")


def _render_list(request: Request, refusal: Refused | None = None) -> HttpResponse:
    at = clock.now()
    page = Paginator(machine.open_levels(at), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "open": machine.find_outcomes(page, at),
        "decided": machine.find_outcomes(machine.decided_levels(at)[:MOST_DECIDED], at),
        "asks": bool(settings.ASKED_SECONDS),
        "seconds": settings.ASKED_SECONDS,
        "refusal": refusal.message if refusal else "",
    }
    return render(request, "contest/machine/challenges.html", context, status=refusal.status if refusal else 200)
