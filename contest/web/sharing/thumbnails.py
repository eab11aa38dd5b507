"""Thumbnails of levels of rounds and collections, for lists."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.infra.cache import remember
from contest.models import CollectedLevel, Level
from contest.web.collections.views import level_or_404
from contest.web.shell.request import Request
from solvers.sokoban.drawing.draw import svg
from solvers.sokoban.drawing.sprites import Theme

_YEAR = 365 * 24 * 3600
# The background equals the sunken surface in site.css, so that cells outside the walls are invisible.
_LOOKS = {"light": Theme("classic", "day", "#f1eadc"), "dark": Theme("classic", "night", "#101115")}


@require_safe
def collection_thumbnail(request: Request, slug: str, place: int, look: str) -> HttpResponse:
    return _picture(level_or_404(request, slug, place), look, "public")


@require_safe
def round_thumbnail(request: Request, number: int, slot: str, look: str) -> HttpResponse:
    """Serve the picture to viewers who may see the level; `private` keeps it out of shared caches."""
    levels = visibility.levels(request.viewer, clock.now())
    return _picture(get_object_or_404(levels, round__number=number, slot=slot), look, "private")


def _picture(level: Level | CollectedLevel, look: str, cache_scope: str) -> HttpResponse:
    """Return the board as SVG, rendered once. Browsers may cache it for good because its URL identifies the board."""
    if look not in _LOOKS:
        raise Http404(look)
    picture = remember(("thumbnail", level.sha256, look), lambda: svg(level.board, theme=_LOOKS[look]))
    headers = {"Cache-Control": f"{cache_scope}, max-age={_YEAR}, immutable"}
    return HttpResponse(picture, content_type="image/svg+xml", headers=headers)
