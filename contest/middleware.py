"""What every request passes: a name for the log, what is kept, a bound on its size and letters, and who is looking.

And what every answer says to browsers about where it may be used.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from datetime import datetime, timedelta
from http import HTTPStatus
from urllib.parse import unquote_plus

from django.conf import settings
from django.db import DataError, Error
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from contest import players, visibility
from contest.front import doors
from contest.infra import attempts, clock, kept, logs

Handler = Callable[[HttpRequest], HttpResponse]

log = logging.getLogger("contest.requests")

_NUL = re.compile(r"\bNUL\b|null (byte|character)")
# What a page of ours may use of a browser: the clipboard, the whole screen and passkeys, in our own pages alone.
_PERMISSIONS = ", ".join(
    [
        *(
            f"{name}=()"
            for name in (
                "accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope",
                "hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking",
            )
        ),
        *(
            f"{name}=(self)"
            for name in ("clipboard-write", "fullscreen", "publickey-credentials-create", "publickey-credentials-get")
        ),
    ]
)  # fmt: skip
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


class NoNul:
    """Refuse what holds a NUL: no text of ours does, and PostgreSQL takes none.

    Addresses and cookies are looked at before anything else is; forms refuse it themselves, and what passes them all
    the same is refused where the database refuses it.
    """

    def __init__(self, get_response: Handler) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        texts = [request.path_info, unquote_plus(request.META.get("QUERY_STRING", "")), *request.COOKIES.values()]
        return _not_understood(request) if any("\0" in text for text in texts) else self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        is_nul = isinstance(exception, DataError | ValueError) and _NUL.search(str(exception))
        return _not_understood(request) if is_nul else None


def _not_understood(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        return _problem(HTTPStatus.BAD_REQUEST, "bad_request", _("The request is not acceptable."))
    return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


def _problem(status: HTTPStatus, code: str, words: str) -> HttpResponse:
    """As contest.api.errors has it."""
    said = {"type": "about:blank", "title": status.phrase, "status": status.value, "code": code, "detail": words}
    return JsonResponse({**said, "errors": []}, status=status, content_type="application/problem+json")


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
            return _problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", words)
        return render(request, "413.html", {"words": words}, status=413)

    return answer


def state_policies(get_response: Handler) -> Handler:
    """Say what a page may use, and that no other site may put ours into its own, but for what is there to be shared."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Permissions-Policy", _PERMISSIONS)
        response.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if _is_shared(request) else "same-origin")
        return response

    return answer


def _is_shared(request: HttpRequest) -> bool:
    """Pictures, films, feeds and embedded pages, with the static files in those; and what programs read."""
    if request.path.startswith((settings.STATIC_URL, "/api/")):
        return True
    match = request.resolver_match
    return match is not None and match.func.__module__.startswith("contest.web.sharing")


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


# Cookies that tell nothing of a person, and are a part of what is asked for.
_HARMLESS = ("theme", settings.LANGUAGE_COOKIE_NAME)
_LANGUAGES = tuple(f"/{code}/" for code, _name in settings.LANGUAGES)
_CONDITIONS = ("HTTP_AUTHORIZATION", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_RANGE")
# The one place of a page that is never kept.
_SERVER_TIME = re.compile(rb'(?<=<meta name="server-time" content=")[^"]*')
_OF_THE_BODY = ("Content-Type", "Content-Language", "Content-Disposition")


def answer_early(get_response: Handler) -> Handler:
    """Send again what is kept (contest.infra.kept), before anything else is done for the request; keep what may be.

    Nobody of whom anything is known is answered here: who has a cookie but for theme and language, or a token.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        key = _asked_for(request)
        if key is None:
            return get_response(request)
        at = clock.now()
        found = kept.store.find(key)
        if found and (again := _again(request, found, at)):
            return again
        request.may_keep = True  # type: ignore[attr-defined] # ours
        response = get_response(request)
        if hasattr(request, "kept_while"):
            with suppress(Error):  # it has been answered, whatever the database says now
                _keep(key, request, response, at)
        return response

    return answer


def _asked_for(request: HttpRequest) -> Hashable:
    """All that an answer depends on which stands in the request; None where that may be a person."""
    meta, cookies = request.META, request.COOKIES
    if request.method != "GET" or any(name in meta for name in _CONDITIONS) or not cookies.keys() <= set(_HARMLESS):
        return None
    languages = "" if request.path.startswith(_LANGUAGES) else meta.get("HTTP_ACCEPT_LANGUAGE", "")
    chosen = tuple(cookies.get(name) for name in _HARMLESS)
    return request.scheme, meta.get("HTTP_HOST"), request.path, meta.get("QUERY_STRING"), languages, chosen


def _again(request: HttpRequest, found: kept.Answer, at: datetime) -> HttpResponse | None:
    is_known = bool(found.etag) and kept.not_modified(request, found.etag) is not None
    if (found.body is None and not is_known) or not found.holds(at):
        return None
    request.resolver_match = found.match
    if is_known:
        headers = {name: value for name, value in found.headers.items() if name not in _OF_THE_BODY}
        return HttpResponseNotModified(headers=headers)
    body = _SERVER_TIME.sub(timezone.localtime(at).isoformat().encode(), found.body or b"", count=1)
    return HttpResponse(body, headers={**found.headers, "Content-Length": str(len(body))})


def _keep(key: Hashable, request: HttpRequest, response: HttpResponse, at: datetime) -> None:
    """Keep *response*, which was asked for at *at*, if it may be."""
    ask, state = request.kept_while  # type: ignore[attr-defined] # ours
    is_unchanged = response.status_code == HTTPStatus.NOT_MODIFIED and "ETag" in response
    if state is None or response.streaming or response.cookies or not (is_unchanged or response.status_code == 200):
        return
    until = at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    # What was written meanwhile may be in the answer or not.
    if visibility.changes_by_time(at, until) or ask() != state:
        return
    headers = {name: value for name, value in response.items() if name != "Content-Length"}
    body = None if is_unchanged else response.content
    kept.store.put(key, kept.Answer(ask, state, at, until, headers, body, request.resolver_match))
