"""Allow other sites to frame pages: only those under /embed/ (docs/reference/sharing.md)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

CACHE_SECONDS = 60
# Without `allow-same-origin` the page has an origin of its own: neither cookies nor the storage of this site.
SANDBOX = ("allow-scripts", "allow-popups", "allow-popups-to-escape-sandbox")


def allow_framing(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let any site frame the page; the rest of the security policy stays.

    Such a page must be the same for every client: use an anonymous `Viewer` and set no cookie.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex"  # Search engines must find the full page instead.
        patch_cache_control(response, public=True, max_age=CACHE_SECONDS)
        return response

    framed_view: Callable[..., HttpResponseBase] = xframe_options_exempt(require_safe(answer))
    return csp_replace({"frame-ancestors": ["*"]})(framed_view)


def allow_framing_in_a_sandbox(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let any site frame the page, whose scripts cannot read what this site stores in the browser."""
    return csp_replace({"frame-ancestors": ["*"], "sandbox": SANDBOX})(allow_framing(view))
