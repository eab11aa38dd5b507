"""The organisers' posts: the list, a post, a series, and the pictures in posts."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.infra.kept import not_modified
from contest.models import Post, PostSeries
from contest.outreach import posts
from contest.web.shell.request import Request
from contest.wording import bilingual

PER_PAGE = 20
PICTURE_CACHE_SECONDS = 300  # bounds how long a deleted post's picture stays in caches
KINDS = (
    ("", pgettext_lazy("posts", "All")),
    (Post.Kind.NEWS.value, _("News")),
    (Post.Kind.ANNOUNCEMENT.value, _("Announcements")),
    (Post.Kind.REPORT.value, _("Reports")),
)
FEED_OF = {Post.Kind.ANNOUNCEMENT.value: "announcements", Post.Kind.REPORT.value: "reports"}


@require_safe
def posts_page(request: Request) -> HttpResponse:
    kind = request.GET.get("kind", "")
    listed = visibility.posts(request.viewer, clock.now()).defer("html_zh", "html_en")
    if kind in Post.Kind.values:
        listed = listed.filter(kind=kind)
    chosen = Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "chosen": chosen,
        "items": [posts.in_language(post) for post in chosen],
        "kinds": KINDS,
        "kind": kind if kind in Post.Kind.values else "",
        "feed": FEED_OF.get(kind, "news"),
    }
    return render(request, "contest/posts/posts.html", context)


@require_safe
def post_page(request: Request, slug: str) -> HttpResponse:
    at = clock.now()
    post = get_object_or_404(visibility.posts(request.viewer, at).select_related("round", "series"), slug=slug)
    item = posts.in_language(post)
    context = {
        "item": item,
        "part": posts.find_part(post, request.viewer, at),
        "marked_lang": item.lang if item.is_fallback else "",  # only if it differs from the page's language
        "body": posts.render_body(post, item.lang, posts.make_filler(post, request.viewer, at)),
        "at": post.published_at,
    }
    return render(request, "contest/posts/post.html", context)


@require_safe
def series_page(request: Request, slug: str) -> HttpResponse:
    """Show the parts of a series in order; raise Http404 while none is public."""
    series = get_object_or_404(PostSeries, slug=slug)
    items = posts.list_parts(series, request.viewer, clock.now())
    if not items:
        raise Http404(slug)
    context = {"series": series, "about": bilingual.in_language(series.about_zh, series.about_en), "items": items}
    return render(request, "contest/posts/post_series.html", context)


@require_safe
def post_picture(request: Request, pk: int) -> HttpResponseBase:
    """Serve a picture to viewers who may see its post. Its content never changes, so the ETag needs no read of it."""
    public = visibility.pictures(request.viewer, clock.now())
    found = get_object_or_404(public.defer("content"), pk=pk)
    etag = f'"{found.sha256}"'
    response = not_modified(request, etag) or HttpResponse(bytes(found.content), content_type="image/webp")
    response["ETag"] = etag
    patch_cache_control(response, public=True, max_age=PICTURE_CACHE_SECONDS)
    return response
