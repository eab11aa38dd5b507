"""Light, dark, or as the reader's machine says: a cookie, read while the page is made, so that nothing flashes."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

COOKIE = "theme"
THEMES = ("light", "dark")
YEAR = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    """The theme that the reader asked for; empty: as their machine says."""
    asked = request.COOKIES.get(COOKIE, "")
    return asked if asked in THEMES else ""


# A token would cost every page a cookie; whoever forges this request turns a light on.
@csrf_exempt
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Remember the theme, or forget it, and lead back to the page."""
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(back if is_ours else "/")
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
