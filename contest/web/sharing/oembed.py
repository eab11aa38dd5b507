"""oEmbed: metadata from which other sites render a link to this site (https://oembed.com)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.infra.identity import short_name
from contest.infra.site_address import absolute_url
from contest.visibility import Viewer
from contest.web.sharing.embeds import public_collected_level, public_level
from contest.web.shell.framing import SANDBOX

LONGEST_ADDRESS = 2_000
CACHE_SECONDS = 3_600
_NOBODY = Viewer()
_THUMBNAILS = (("card", 1200, 630), ("square", 300, 300))
_PLAYABLE = (480, 540)


@dataclass(frozen=True)
class _Page:
    """A page's title and, if it has them, card and embeddable frame."""

    title: str
    card: str = ""
    frame: str = ""
    size: tuple[int, int] = (0, 0)
    author: str = ""
    is_sandboxed: bool = False


@require_safe
@cache_control(public=True, max_age=300)
def oembed(request: HttpRequest) -> HttpResponse:
    """Describe the page at `url`; 404 for a foreign, unknown or private one, 501 for XML as the standard requires."""
    if request.GET.get("format", "json") != "json":
        return _allow_any_origin(JsonResponse({"error": "Only json is spoken here."}, status=501))
    try:
        most = [int(request.GET.get(name, 10_000)) for name in ("maxwidth", "maxheight")]
    except ValueError:
        return _allow_any_origin(JsonResponse({"error": "maxwidth and maxheight are numbers."}, status=400))
    try:
        page = _resolve_page(request, request.GET.get("url", "")[:LONGEST_ADDRESS])
    except Http404:
        return _allow_any_origin(JsonResponse({"error": "There is nothing public at this address."}, status=404))
    return _allow_any_origin(JsonResponse(_describe_page(request, page, most)))


def _allow_any_origin(response: HttpResponse) -> HttpResponse:
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _resolve_page(request: HttpRequest, address: str) -> _Page:
    """Return the page at *address*, in the language of that URL. Raise Http404."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise Http404 from None
    own_hosts = {request.get_host(), urlsplit(settings.SITE_URL).netloc} - {""}
    language = parts.path.split("/", 2)[1] if parts.path.startswith("/") else ""
    if (
        parts.scheme not in ("http", "https")
        or parts.netloc not in own_hosts
        or language not in dict(settings.LANGUAGES)
    ):
        raise Http404
    with override(language):
        try:
            match = resolve(parts.path)
        except Resolver404:
            raise Http404 from None
        if match.url_name not in _PAGES:
            raise Http404
        known = {
            name: match.kwargs[name]
            for name in ("number", "slot", "submission", "slug", "place")
            if name in match.kwargs
        }
        return _PAGES[match.url_name](**known)


def _round(number: int) -> _Page:
    round_ = get_object_or_404(visibility.rounds(_NOBODY, clock.now()), number=number)
    return _Page(str(round_), reverse("round-card", args=[number, "card"]))


def _level(number: int, slot: str) -> _Page:
    level = public_level(number, slot)
    title = f"{level.title} · {level}" if level.title else str(level)
    card = reverse("level-card", args=[number, slot, "card"])
    return _Page(title, card, reverse("embed-level", args=[number, slot]), (480, 420), level.author)


def _playable(number: int, slot: str) -> _Page:
    frame = reverse("embed-play", args=[number, slot])
    return replace(_level(number, slot), frame=frame, size=_PLAYABLE, is_sandboxed=True)


def _collected(slug: str, place: int) -> _Page:
    level = public_collected_level(slug, place)
    frame = reverse("embed-collected-play", args=[slug, place])
    title = f"{level} · {level.collection}"
    return _Page(title, frame=frame, size=_PLAYABLE, author=level.author, is_sandboxed=True)


def _standings(number: int, slot: str, by: str) -> _Page:
    level = public_level(number, slot)
    frame = f"{reverse('embed-standings', args=[number, slot])}?by={by}"
    return _Page(str(level), reverse("level-card", args=[number, slot, "card"]), frame, (480, 480))


def _replay(number: int, submission: int) -> _Page:
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(_NOBODY, at), number=number)
    replay = get_object_or_404(visibility.replays(_NOBODY, round_, at).defer("lurd"), pk=submission)
    title = f"{replay.level}: {replay.moves} / {replay.pushes}"
    card = reverse("replay-card", args=[number, submission, "card"])
    return _Page(title, card, reverse("embed-replay", args=[number, submission]), (480, 480), str(replay.player))


_PAGES: dict[str | None, Callable[..., _Page]] = {
    "round": _round,
    # The other pages of a level announce oEmbed too, and are embedded as the level.
    **dict.fromkeys(("level", "pareto", "share"), _level),
    "play": _playable,
    **dict.fromkeys(("collected-level", "collected-play"), _collected),
    "by_moves": lambda number, slot: _standings(number, slot, "moves"),
    "by_pushes": lambda number, slot: _standings(number, slot, "pushes"),
    "replay": _replay,
}


def _describe_page(request: HttpRequest, page: _Page, most: list[int]) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "version": "1.0",
        "type": "link",
        "title": page.title,
        "provider_name": short_name(),
        "provider_url": absolute_url(request, "/"),
        "cache_age": CACHE_SECONDS,
    }
    if page.author:
        answer["author_name"] = page.author
    if page.frame:
        width, height = (max(1, min(pair)) for pair in zip(page.size, most, strict=True))
        address = absolute_url(request, page.frame)
        sandbox = format_html(' sandbox="{}"', " ".join(SANDBOX)) if page.is_sandboxed else ""
        html = format_html(
            '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy"{}></iframe>',
            address, width, height, page.title, sandbox,
        )  # fmt: skip
        answer |= {"type": "rich", "html": html, "width": width, "height": height}
    for shape, width, height in _THUMBNAILS if page.card else ():
        if width <= most[0] and height <= most[1]:
            address = absolute_url(request, page.card.replace("card.png", f"{shape}.png"))
            answer |= {"thumbnail_url": address, "thumbnail_width": width, "thumbnail_height": height}
            break
    return answer
