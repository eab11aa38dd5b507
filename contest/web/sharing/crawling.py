"""Files for crawlers: sitemap, robots.txt and security.txt (docs/reference/sharing.md)."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, overload

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import index, sitemap
from django.core.paginator import Paginator
from django.db.models import Count, Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.infra.cache import digest, remember
from contest.models import Level, Player, Post, PostCategory, Round
from contest.models.level import by_slot
from contest.visibility import Viewer

# Personal, secret or unbounded pages; they exist in each language.
CLOSED = ("me/", "s/", "desk/", "account/", "claim/", "submit/", "check/", "embed/", "mail/", "compare/", "search/")
CLOSED_WITHOUT_LANGUAGE = ("/admin/", "/desk/", "/api/", "/oembed")
PLAIN = (
    "home", "rounds", "levels", "optima", "runs", "posts", "hall", "seasons", "countries", "records", "ratings",
    "stats", "history", "rules", "help", "help-formats", "help-keys", "first-steps", "deadlocks", "help-beginners",
    "help-programs", "all-pages", "about", "privacy", "terms", "licences",
    "lab", "lab-klotski", "lab-sokoban", "lab-knight", "lab-games", "lab-logic", "lab-pictures", "lab-speed", "machine",
    "programs",
)  # fmt: skip
MOST = 10_000
PER_SHEET = 500
# Cache lifetime of a sitemap sheet.
SECONDS = 600
_NOBODY = Viewer()


class _Product(Sequence[tuple[Any, Any]]):
    """The product of *rows* (may be a queryset) and *others*; reads only the rows of the requested slice."""

    def __init__(self, rows: Any, others: Sequence[Any]) -> None:
        self._rows, self._others = rows, others

    def __len__(self) -> int:
        return len(self._others) * (self._rows.count() if isinstance(self._rows, QuerySet) else len(self._rows))

    @overload
    def __getitem__(self, wanted: int) -> tuple[Any, Any]: ...
    @overload
    def __getitem__(self, wanted: slice) -> list[tuple[Any, Any]]: ...
    def __getitem__(self, wanted: int | slice) -> tuple[Any, Any] | list[tuple[Any, Any]]:
        if isinstance(wanted, int):
            return self[wanted : wanted + 1][0]
        each = len(self._others)
        start, stop = wanted.start or 0, wanted.stop
        rows = self._rows[start // each : -(-stop // each)]
        return [(row, other) for row in rows for other in self._others][start % each :][: stop - start]


class _Public(Sitemap):  # type: ignore[type-arg] # generic for type checkers only
    """Public pages, each in every language with its alternates."""

    i18n = True
    alternates = True
    x_default = True
    limit = PER_SHEET

    def __init__(self) -> None:
        self.at: datetime = clock.now()

    @property
    def paginator(self) -> "Paginator[Any]":
        """Return a lazy paginator; Django's own builds every URL to count them."""
        return Paginator(_Product(self.items(), [code for code, _name in settings.LANGUAGES]), self.limit)


class _Pages(_Public):
    def items(self) -> Sequence[str]:
        return PLAIN

    def location(self, item: str) -> str:
        return reverse(item)


class _Rounds(_Public):
    def items(self) -> QuerySet[Round]:
        return visibility.rounds(_NOBODY, self.at)[:MOST]


class _Results(_Public):
    def items(self) -> list[Round]:
        return [
            round_
            for round_ in visibility.rounds(_NOBODY, self.at)[:MOST]
            if visibility.may_see_results(round_, self.at)
        ]

    def location(self, item: Round) -> str:
        return reverse("results", args=[item.number])


class _Levels(_Public):
    def items(self) -> _Product:
        levels = visibility.levels(_NOBODY, self.at).order_by("-round__number", *by_slot()).defer("text", "solution")
        return _Product(levels[:MOST], ("level", "by_moves", "by_pushes", "pareto"))

    def location(self, item: tuple[Level, str]) -> str:
        level, name = item
        return reverse(name, args=[level.round.number, level.slot])


class _Players(_Public):
    def items(self) -> QuerySet[Player]:
        return visibility.players(_NOBODY, self.at).filter(merged_into=None, erased_at=None).order_by("pk")[:MOST]


class _Posts(_Public):
    def items(self) -> QuerySet[Post]:
        return visibility.posts(_NOBODY, self.at)[:MOST]


class _PostCategories(_Public):
    def items(self) -> QuerySet[PostCategory]:
        return visibility.post_categories(_NOBODY, self.at).order_by("pk")[:MOST]


_SECTIONS: dict[str, Any] = {
    "pages": _Pages,
    "rounds": _Rounds,
    "results": _Results,
    "levels": _Levels,
    "players": _Players,
    "posts": _Posts,
    "post-categories": _PostCategories,
}


@require_safe
@cache_control(public=True, max_age=3_600)
def sitemap_xml(request: HttpRequest) -> HttpResponseBase:
    """Serve the index of sitemap sheets."""
    return _cached_response(request, "index", lambda: index(request, _SECTIONS, sitemap_url_name="sitemap-sheet"))


@require_safe
@cache_control(public=True, max_age=3_600)
def sitemap_sheet(request: HttpRequest, section: str) -> HttpResponseBase:
    """Serve a sheet of one section. Accept only one spelling of `?p=`, because it is part of the cache key."""
    if not re.fullmatch("[1-9][0-9]{0,5}", request.GET.get("p", "1")):
        raise Http404
    return _cached_response(request, section, lambda: sitemap(request, _SECTIONS, section=section))


def _withdrawn(at: datetime) -> object:
    """Return what changes once a listed name or post is no longer public (rule 15.6)."""
    erased = Player.objects.exclude(erased_at=None).aggregate(Count("pk"), Max("erased_at"))
    return erased, list(visibility.posts(_NOBODY, at).order_by("pk").values_list("pk", flat=True))


def _cached_response(
    request: HttpRequest, name: str, build_response: Callable[[], TemplateResponse]
) -> HttpResponseBase:
    """Return *build_response*'s content, cached for this time slot; answer a matching ETag with 304."""
    at = clock.now()
    time_slot = int(at.timestamp()) // SECONDS
    key = ("sitemap", request.get_host(), request.scheme, name, request.GET.get("p", "1"), time_slot, _withdrawn(at))
    etag = f'"{digest(key)}"'
    if not_modified := get_conditional_response(request, etag=etag):
        return not_modified
    content = remember(key, lambda: build_response().render().content)
    return HttpResponse(content, content_type="application/xml", headers={"ETag": etag, "X-Robots-Tag": "noindex"})


@require_safe
@cache_control(max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Serve the security contact (RFC 9116); 404 if the operator has configured none."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (clock.now() + timedelta(days=180)).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = (
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires.astimezone(UTC).strftime('%Y-%m-%dT%H:%M:%SZ')}",
        "Preferred-Languages: zh-Hans, en",
        f"Canonical: {settings.SITE_URL or request.build_absolute_uri('/').rstrip('/')}/.well-known/security.txt",
    )
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=3_600)
def robots_txt(request: HttpRequest) -> HttpResponse:
    paths = [f"/{language}/{path}" for language, _name in settings.LANGUAGES for path in CLOSED]
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in (*paths, *CLOSED_WITHOUT_LANGUAGE))]
    address = f"{settings.SITE_URL}/sitemap.xml" if settings.SITE_URL else request.build_absolute_uri("/sitemap.xml")
    return HttpResponse("\n".join([*lines, "", f"Sitemap: {address}", ""]), content_type="text/plain; charset=utf-8")
