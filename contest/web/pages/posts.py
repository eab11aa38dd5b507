"""What organisers have written: the list, and each post."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.outreach import posts
from contest.web.pages.views import Request

PER_PAGE = 20


@require_safe
def posts_page(request: Request) -> HttpResponse:
    listed = visibility.posts(request.viewer, clock.now()).defer("html_zh", "html_en")
    chosen = Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))
    words = {"chosen": chosen, "items": [posts.in_language(post) for post in chosen]}
    return render(request, "contest/posts.html", words)


@require_safe
def post_page(request: Request, slug: str) -> HttpResponse:
    at = clock.now()
    post = get_object_or_404(visibility.posts(request.viewer, at).select_related("round"), slug=slug)
    item = posts.in_language(post)
    words = {
        "item": item,
        "body": posts.body(post, item.lang, posts.filling(post, request.viewer, at)),
        "at": post.published_at,
    }
    return render(request, "contest/post.html", words)
