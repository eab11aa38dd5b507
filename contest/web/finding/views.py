"""The search box of every page: its page, and what it shows while somebody types."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from contest.infra import clock
from contest.web.finding.answers import MOST, find
from contest.web.shell.request import Request

MOST_ON_PAGE = 20


@cache_control(private=True, max_age=30)
@require_safe
def search_page(request: Request) -> HttpResponse:
    """Everything that is found; with `part`, a few of each kind alone, for below the box."""
    text = request.GET.get("q", "").strip()
    is_part = "part" in request.GET
    found = find(request.viewer, clock.now(), text, MOST if is_part else MOST_ON_PAGE)
    page = "contest/reading/_found.html" if is_part else "contest/reading/search.html"
    return render(request, page, {"asked": text, "found": found, "most": MOST_ON_PAGE})
