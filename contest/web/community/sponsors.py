"""The page of sponsors, which exists while its text on the desk is not empty (`contest.infra.identity`)."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.infra import identity
from contest.models import Sponsor
from contest.wording import bilingual


@require_safe
def sponsors(request: HttpRequest) -> HttpResponse:
    """Show how to sponsor the site, and its sponsors in the organisers' order."""
    if not identity.has_sponsors_page():
        raise Http404
    context = {"how": bilingual.in_language(*identity.sponsoring()), "listed": Sponsor.objects.listed()}
    return render(request, "contest/community/sponsors.html", context)
