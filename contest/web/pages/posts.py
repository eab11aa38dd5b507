"""The organisers' posts: the list, by category, year and month too, a post, a series, and the pictures in posts."""

from collections.abc import Iterator
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.db.models.functions import TruncMonth
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_cache_control
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.infra.kept import not_modified
from contest.models import Post, PostSeries
from contest.outreach import posts
from contest.outreach.community import comments, subjects
from contest.web.shell.request import Request
from contest.wording import bilingual

PER_PAGE = 20
NEWEST_COMMENTS = 10
FIRST_YEAR, LAST_YEAR = 1970, 9998  # a database can compare times of these
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
    kind, at = request.GET.get("kind", ""), clock.now()
    listed = visibility.posts(request.viewer, at)
    if kind in Post.Kind.values:
        listed = listed.filter(kind=kind)
    context = {
        "kinds": KINDS,
        "kind": kind if kind in Post.Kind.values else "",
        "feed": FEED_OF.get(kind, "news"),
    }
    return _render_list(request, listed, at, context)


@require_safe
def category_page(request: Request, slug: str) -> HttpResponse:
    at = clock.now()
    category = get_object_or_404(visibility.post_categories(request.viewer, at), slug=slug)
    listed = visibility.posts(request.viewer, at).filter(categories=category)
    return _render_list(request, listed, at, {"category": category, "heading": str(category)})


@require_safe
def archive_page(request: Request, year: int, month: int | None = None) -> HttpResponse:
    """List the posts of a year or month of the site's calendar; raise Http404 if there are none."""
    at = clock.now()
    if not (FIRST_YEAR <= year <= LAST_YEAR and (month is None or month in range(1, 13))):
        raise Http404
    listed = visibility.posts(request.viewer, at).filter(published_at__year=year)
    listed = listed.filter(published_at__month=month) if month else listed
    if not listed.exists():
        raise Http404
    heading = date_format(date(year, month, 1), "YEAR_MONTH_FORMAT") if month else str(year)
    return _render_list(request, listed, at, {"year": year if month else None, "heading": heading})


def _render_list(request: Request, listed: QuerySet[Post], at: datetime, context: dict[str, Any]) -> HttpResponse:
    chosen = Paginator(listed.defer("html_zh", "html_en"), PER_PAGE).get_page(request.GET.get("page"))
    context |= {
        "chosen": chosen,
        "items": [posts.in_language(post) for post in chosen],
        "categories": visibility.post_categories(request.viewer, at),
        "years": list(_count_by_year(request.viewer, at)),
    }
    return render(request, "contest/posts/posts.html", context)


def _count_by_year(viewer: visibility.Viewer, at: datetime) -> Iterator[tuple[int, list[tuple[datetime, int]]]]:
    """Yield each year with posts, latest first, with its months and the number of posts in each."""
    months = visibility.posts(viewer, at).order_by().annotate(month=TruncMonth("published_at")).values_list("month")
    counted = months.annotate(count=Count("pk")).order_by("-month")
    for year, of_year in groupby(counted, lambda row: row[0].year):
        yield year, list(of_year)


@require_safe
def post_page(request: Request, slug: str) -> HttpResponse:
    at = clock.now()
    public = subjects.with_comments(visibility.posts(request.viewer, at).select_related("round", "series"), at)
    post = get_object_or_404(public, slug=slug)
    item = posts.in_language(post)
    context = {
        "item": item,
        "categories": post.categories.all(),
        "part": posts.find_part(post, request.viewer, at),
        "marked_lang": item.lang if item.is_fallback else "",  # only if it differs from the page's language
        "body": posts.render_body(post, item.lang, posts.make_filler(post, request.viewer, at)),
        "at": post.published_at,
        "talk": subjects.discussion_url(post),
        "listed": comments.list_comments(post, request.viewer, at)[:NEWEST_COMMENTS] if post.has_talk else [],
        "has_more": post.comment_count > NEWEST_COMMENTS,
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
