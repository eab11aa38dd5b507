"""The theme: light, dark or the system's. A cookie, read by the server to avoid a flash of the wrong theme."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

COOKIE = "theme"
THEMES = ("light", "dark")
YEAR = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    """Return the theme chosen by the reader; "" means the system's."""
    asked = request.COOKIES.get(COOKIE, "")
    return asked if asked in THEMES else ""


# A CSRF token would add a cookie to every page; a forged request can only change the theme.
@csrf_exempt
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Set or delete the theme cookie and redirect to the page."""
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(back if is_ours else "/")
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
