"""Follow players and levels, and list the followed ones (rule 27.6)."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from contest import visibility
from contest.infra import clock
from contest.models import Player
from contest.outreach.community import stars
from contest.outreach.community.subjects import Subject
from contest.web.shell.request import Request

PER_PAGE = 50


@never_cache
@require_POST
def star_player(request: Request, number: int) -> HttpResponse:
    public = visibility.players(request.viewer, clock.now())
    return _follow_or_leave(request, get_object_or_404(public, pk=number, merged_into=None, erased_at=None))


@never_cache
@require_POST
def star_round_level(request: Request, number: int, slot: str) -> HttpResponse:
    return _follow_or_leave(
        request,
        get_object_or_404(visibility.levels(request.viewer, clock.now()), round__number=number, slot=slot),
    )


@never_cache
@require_POST
def star_collection_level(request: Request, slug: str, place: int) -> HttpResponse:
    levels = visibility.collected_levels(request.viewer, clock.now()).select_related("collection")
    return _follow_or_leave(request, get_object_or_404(levels, collection__slug=slug, place=place))


def _follow_or_leave(request: Request, subject: Subject | Player) -> HttpResponse:
    """Follow or unfollow *subject*, then redirect to the page with the button."""
    if request.POST.get("follow") == "no":
        stars.unfollow(subject, viewer=request.viewer)
    else:
        try:
            stars.follow(subject, viewer=request.viewer, at=clock.now())
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
    return redirect("following" if "list" in request.POST else subject)


@never_cache
@require_safe
def following(request: Request) -> HttpResponse:
    chosen = Paginator(stars.list_stars(request.viewer), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "contest/community/following.html", {"stars": chosen})
