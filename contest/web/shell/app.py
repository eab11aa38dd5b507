"""The site as an installable web app: its manifest (W3C appmanifest) and its icons."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils.translation import get_language, gettext, pgettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from contest.infra import identity
from contest.rendering import app_icons, colours

_DAY = 86_400
# Pixels, and whether the icon is maskable.
_ICONS = {"icon-180": (180, False), "icon-192": (192, False), "icon-512": (512, False), "maskable": (512, True)}
# From docs/reference/identity.md: the app's window before the first page has loaded.
_PAPER = "#faf7f0"


@cache_control(public=True, max_age=_DAY)
@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """Serve the manifest in the language of its URL. Both languages share one `id`, so they are one app."""
    content = {
        "id": get_script_prefix(),
        "name": f"{identity.full_name()} · {gettext('Sokoban contest')}",
        "short_name": identity.full_name(),
        "description": gettext(
            "Who solves the level in the fewest moves, and who in the fewest pushes? An open Sokoban contest."
        ),
        "lang": get_language(),
        "dir": "ltr",
        "start_url": reverse("home"),
        "scope": get_script_prefix(),
        "display": "standalone",
        "theme_color": identity.accents()[0],
        "background_color": _PAPER,
        "icons": _icons(),
        "shortcuts": [
            {"name": gettext("Rounds"), "url": reverse("rounds")},
            {"name": gettext("Levels"), "url": reverse("levels")},
            {"name": pgettext("navigation", "Submit"), "url": reverse("submit")},
            {"name": gettext("Check a solution"), "url": reverse("check")},
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@cache_control(public=True, max_age=_DAY)
@require_safe
def icon(_request: HttpRequest, shape: str) -> HttpResponse:
    if shape not in _ICONS:
        raise Http404
    pixels, is_maskable = _ICONS[shape]
    drawn = app_icons.draw(pixels, is_maskable=is_maskable, own=identity.mark())
    return HttpResponse(drawn, content_type="image/png")


@cache_control(public=True, max_age=365 * _DAY, immutable=True)
@require_safe
def accent_css(_request: HttpRequest, pair: str) -> HttpResponse:
    """Serve the style sheet with the accents that its URL names, so it never changes."""
    try:
        return HttpResponse(colours.style_sheet(pair), content_type="text/css; charset=utf-8")
    except ValueError as error:
        raise Http404(str(error)) from None


def _icons() -> list[dict[str, str]]:
    drawn = [
        {
            "src": identity.icon_url(shape),
            "sizes": f"{pixels}x{pixels}",
            "type": "image/png",
            "purpose": "maskable" if is_maskable else "any",
        }
        for shape, (pixels, is_maskable) in _ICONS.items()
    ]
    if identity.mark():
        return drawn
    return [{"src": static("contest/mark.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}, *drawn]
