"""Tiles of the receipt chain's tree and bundles of its leaves, for monitors of transparency logs (rule 24.2)."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from contest.archive.witnesses import tiles
from contest.rules.merkle import WIDTH

_YEAR = 365 * 24 * 3600
_LEVEL = re.compile(r"0|[1-9][0-9]?")
# An index in groups of three digits, all but the last after an x, and the width of a partial tile.
_TILE = re.compile(r"((?!x000/)(?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")


@require_safe
def serve(_request: HttpRequest, level: str, tile: str) -> HttpResponse:
    """Return a tile or, as the level "entries", a bundle (C2SP tlog-tiles); caches may store it for good."""
    match = _TILE.fullmatch(tile)
    if match is None:
        raise Http404
    index, width = int(match[1].replace("/", "").replace("x", "")), int(match[2] or WIDTH)
    if index >= 2**54 or width > WIDTH or (match[2] and width == WIDTH):
        raise Http404
    if level == "entries":
        found = tiles.entries(index, width)
    else:
        found = tiles.hashes(int(level), index, width) if _LEVEL.fullmatch(level) else None
    if found is None:
        raise Http404
    headers = {"Cache-Control": f"public, max-age={_YEAR}, immutable"}
    return HttpResponse(found, content_type="application/octet-stream", headers=headers)
