"""The search page, and the suggestions below the search box of every page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from contest.infra import clock
from contest.infra.rate_limits import FORM, costs
from contest.web.finding.answers import MOST, find
from contest.web.shell.request import Request

MOST_ON_PAGE = 20


@costs(FORM, is_read=True)
@cache_control(private=True, max_age=30)
@require_safe
def search_page(request: Request) -> HttpResponse:
    """Show the search results; with `part`, only the suggestions for the search box."""
    text = request.GET.get("q", "").strip()
    is_part = "part" in request.GET
    found = find(request.viewer, clock.now(), text, MOST if is_part else MOST_ON_PAGE)
    page = "contest/reading/_found.html" if is_part else "contest/reading/search.html"
    return render(request, page, {"asked": text, "found": found, "most": MOST_ON_PAGE})
