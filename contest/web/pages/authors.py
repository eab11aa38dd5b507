"""The authors of the contests' levels."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.stats import authors
from contest.web.shell.request import Request

PER_PAGE = 40


@require_safe
def authors_page(request: Request) -> HttpResponse:
    at = clock.now()
    collections = visibility.collections(request.viewer, at).count()
    context = {"authors": authors.authors(request.viewer, at), "collections": collections}
    return render(request, "contest/level/authors.html", context)


@require_safe
def author_page(request: Request, author: str) -> HttpResponse:
    """List an author's levels of opened rounds."""
    at = clock.now()
    chosen = Paginator(authors.levels(request.viewer, author, at), PER_PAGE).get_page(request.GET.get("page"))
    if not chosen.paginator.count:
        raise Http404(author)
    context = {"author": author, "chosen": chosen, "players": authors.players(request.viewer, author, at)}
    return render(request, "contest/level/author.html", context)
