"""Pages that other sites may show in a frame: those under /embed/, and no others (docs/sharing.md)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

KEPT_SECONDS = 60


def allow_framing(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let any site show the page in a frame; the rest of the security policy stays.

    Such a page is the same for everybody: it asks visibility for a viewer who owns nothing, and sets no cookie.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex"  # the page that it is a part of is the one to be found
        patch_cache_control(response, public=True, max_age=KEPT_SECONDS)
        return response

    framed_: Callable[..., HttpResponseBase] = xframe_options_exempt(require_safe(answer))
    return csp_replace({"frame-ancestors": ["*"]})(framed_)
