"""Count each request at the door of its view, before its body is read (rule 5.9).

A view declares its cost with `rate_limits.costs`; a form without a declaration costs `rate_limits.FORM`. Views of the
API declare theirs as DRF does, in `throttle_classes` (contest.api.throttling).
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from contest.front import answers
from contest.infra import client_ip, rate_limits
from contest.infra.rate_limits import FORM, Busy, Door
from contest.web.shell.trouble import as_response

_READING = ("GET", "HEAD", "OPTIONS")
_FORM_DOOR = Door(FORM)


class Gates:
    """Middleware before the CSRF check, which reads the form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, _args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        door: Door = getattr(view, "door", _FORM_DOOR)
        if hasattr(view, "cls") or (request.method in _READING and not (door.is_read and _has_query(request, kwargs))):
            return None
        try:
            rate_limits.pass_door(door.cost, client_ip.sender_of(request), _size(request))
        except Busy as busy:
            # Staff must be able to act while their own network floods the site.
            if request.user.is_staff:
                return None
            return door.refuse(request, busy) if door.refuse else render_busy(request, busy)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Refuse a request whose cost depends on stored data, which its view reads."""
        return render_busy(request, exception) if isinstance(exception, Busy) else None


def render_busy(request: HttpRequest, busy: Busy) -> HttpResponse:
    """Refuse a request beyond the limit of its door; the page is rendered once per process."""
    wait = busy.wait or rate_limits.SPAN_SECONDS
    if request.headers.get("Accept") == "application/json":
        message = _("Too many requests from your network. Try again in %(wait)s seconds.") % {"wait": wait}
        errors = {"error": message, "errors": {"__all__": [message]}}
        return JsonResponse(errors, status=429, headers={"Retry-After": str(wait)})
    return as_response(answers.refuse_busy(request.path, wait))


def _has_query(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    return bool(request.META.get("QUERY_STRING")) or "moves" in kwargs


def _size(request: HttpRequest) -> int:
    """Return the bytes of the query and of the body, as announced."""
    announced = request.META.get("CONTENT_LENGTH") or "0"
    return len(request.META.get("QUERY_STRING", "")) + (int(announced) if announced.isdecimal() else 0)
