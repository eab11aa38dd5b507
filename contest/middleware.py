"""What every request passes: a name for the log, a bound on its size, and who is looking."""

import logging
import re
import secrets
import time
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from contest import players
from contest.front import doors
from contest.infra import attempts, logs

Handler = Callable[[HttpRequest], HttpResponse]

log = logging.getLogger("contest.requests")

_SANE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)


class Packing(GZipMiddleware):
    """Packs answers, but for parts of a file: their range counts bytes as they stand in it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_part = response.status_code == HTTPStatus.PARTIAL_CONTENT
        return response if is_part else super().process_response(request, response)


def name_the_request(get_response: Handler) -> Handler:
    """Give the request an id, or keep a sane one that a proxy gave it; every log line and the answer carry it."""

    def answer(request: HttpRequest) -> HttpResponse:
        started = time.monotonic()
        sent = request.headers.get("X-Request-ID", "")
        request_id = sent if _SANE_ID.fullmatch(sent) else secrets.token_hex(8)
        logs.request_id.set(request_id)
        logs.submission.set(None)
        response = get_response(request)
        response["X-Request-ID"] = request_id
        if settings.LOG_REQUESTS:
            _log_request(request, response, time.monotonic() - started)
        return response

    return answer


def _log_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """By the pattern of the address: an address itself may be a secret (rule 7.5)."""
    route = request.resolver_match.route if request.resolver_match else "-"
    about = {"method": request.method, "route": route, "status": response.status_code}
    log.info("Answered", extra={**about, "milliseconds": round(seconds * 1000, 1)})


def bound_body(get_response: Handler) -> Handler:
    """Refuse a body that is larger than its door allows, before a byte of it is read."""

    def answer(request: HttpRequest) -> HttpResponse:
        limit = doors.most_bytes(request.path)
        try:
            size = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            size = 0
        if size <= limit or request.path.startswith(doors.LEGACY_DOOR):  # answers in its own words
            return get_response(request)
        words = _("This request has %(size)s bytes; at most %(limit)s can be taken here.") % {
            "size": f"{size:,}",
            "limit": f"{limit:,}",
        }
        if request.path.startswith("/api/"):
            body = {
                "type": "about:blank",
                "title": "Request Entity Too Large",
                "status": 413,
                "code": "too_large",
                "detail": words,
            }
            return JsonResponse({**body, "errors": []}, status=413, content_type="application/problem+json")
        return render(request, "413.html", {"words": words}, status=413)

    return answer


def remember_the_device(get_response: Handler) -> Handler:
    """Let a browser in which an account is opened keep that it was (contest.infra.attempts)."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        attempts.remember_device(request, response)
        return response

    return answer


def name_the_viewer(get_response: Handler) -> Handler:
    """Set request.viewer; the claim cookie is only read where somebody asks."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.viewer = SimpleLazyObject(lambda: players.viewer_of(request))  # type: ignore[attr-defined] # ours
        return get_response(request)

    return answer
