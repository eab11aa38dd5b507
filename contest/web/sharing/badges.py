"""A player's badge as SVG for other sites: name, points and titles of final rounds."""

import unicodedata
from collections.abc import Iterable
from xml.sax.saxutils import escape

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from contest.infra import clock
from contest.infra.identity import full_name
from contest.models import Player
from contest.stats import profiles
from contest.visibility import Viewer

LONGEST_NAME = 24
_HEIGHT, _PAD, _NARROW, _WIDE = 24, 8, 6.8, 12.0


@require_safe
@cache_control(public=True, max_age=3_600)
@conditional_page
def badge(_request: HttpRequest, number: int) -> HttpResponse:
    at, nobody = clock.now(), Viewer()
    try:
        player = profiles.player(nobody, number, at)
    except Player.DoesNotExist:
        raise Http404(str(number)) from None
    tally = profiles.tally(nobody, player, at)
    name = str(player)
    parts = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"]
    if tally:
        parts.append(gettext("%(points)s points") % {"points": tally.points})
        if tally.titles:
            parts.append(f"★ {tally.titles}")
    response = HttpResponse(draw_badge(" · ".join(parts)), content_type="image/svg+xml; charset=utf-8")
    # An SVG opened directly is a page on our origin: it must not be able to do anything.
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def draw_badge(label: str) -> str:
    """Draw two fields side by side. `textLength` fits each text to its field in any font."""
    brand, label = full_name(), "".join(letter for letter in label if letter.isprintable())
    left, right = (round(_width(text) + 2 * _PAD) for text in (brand, label))
    whole = left + right
    texts = "".join(_text(text, at, width) for text, at, width in ((brand, 0, left), (label, left, right)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{_HEIGHT}" viewBox="0 0 {whole} {_HEIGHT}" '
        f'role="img"><title>{escape(f"{brand}: {label}")}</title>'
        f'<rect width="{whole}" height="{_HEIGHT}" rx="5" fill="#1d1c1a"/>'
        f'<path d="M5 0h{left - 5}v{_HEIGHT}h{5 - left}a5 5 0 0 1-5-5V5a5 5 0 0 1 5-5z" fill="#a3321c"/>'
        f'<g fill="#fff9f2" font-family="system-ui, sans-serif" font-size="12">{texts}</g></svg>'
    )


def _text(text: str, at: int, width: int) -> str:
    place = f'x="{at + _PAD}" y="16.5" textLength="{width - 2 * _PAD}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {place}>{escape(text)}</text>"


def _width(letters: Iterable[str]) -> float:
    return sum(_WIDE if unicodedata.east_asian_width(letter) in "WF" else _NARROW for letter in letters)
