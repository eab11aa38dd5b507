"""What every request passes: a name for the log, a bound on its size and letters, and who is looking.

And what every answer says to browsers about where it may be used.
"""

import re
import time
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import unquote_plus

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import activate, get_language_from_request, override
from django.utils.translation import gettext as _

from contest import players
from contest.front import answers, doors
from contest.infra import logs
from contest.infra.attempts import Attempts

Handler = Callable[[HttpRequest], HttpResponse]

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


class Packing(GZipMiddleware):
    """Packs answers, but for parts of a file: their range counts bytes as they stand in it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_part = response.status_code == HTTPStatus.PARTIAL_CONTENT
        return response if is_part else super().process_response(request, response)


def send_whole_files(get_response: Handler) -> Handler:
    """Send the whole of a file whose part is asked for only if it has not changed (If-Range).

    WhiteNoise would send the part without a look, and whoever goes on with a download would join two versions.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if "HTTP_IF_RANGE" in request.META:
            request.META.pop("HTTP_RANGE", None)
        return get_response(request)

    return answer


def name_the_request(get_response: Handler) -> Handler:
    """Give the request an id, or keep a sane one that a proxy gave it; every log line and the answer carry it."""

    def answer(request: HttpRequest) -> HttpResponse:
        started = request.META.get(logs.STARTED) or time.monotonic()
        request_id = logs.name_request(request.headers.get("X-Request-ID", ""))
        response = get_response(request)
        response["X-Request-ID"] = request_id
        if settings.LOG_REQUESTS:
            seconds = time.monotonic() - started
            logs.say_answered(request.method, request.resolver_match, response.status_code, seconds)
        return response

    return answer


class Languages(LocaleMiddleware):
    """Speak the language of the address, or else the reader's."""

    def process_request(self, request: HttpRequest) -> None:
        request.LANGUAGE_CODE = _language_of(request)
        activate(_language_of(request))


def _language_of(request: HttpRequest) -> str:
    """To programs what their request alone says: a cookie proves nothing at their door, and chooses nothing there."""
    if request.path.startswith("/api/v1/"):
        return answers.language_of_programs(request.headers.get("Accept-Language", ""))
    return get_language_from_request(request, check_path=True)


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
    with override(_language_of(request)):
        if request.path.startswith("/api/"):
            return _problem(HTTPStatus.BAD_REQUEST, "bad_request", _("The request is not acceptable."))
        return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


def _problem(status: HTTPStatus, code: str, words: str) -> HttpResponse:
    """As contest.api.exceptions has it."""
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
        with override(_language_of(request)):
            return _too_large(request, {"size": f"{size:,}", "limit": f"{limit:,}"})

    return answer


def _too_large(request: HttpRequest, sizes: dict[str, str]) -> HttpResponse:
    words = _("This request has %(size)s bytes; at most %(limit)s can be taken here.") % sizes
    if request.path.startswith("/api/"):
        return _problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", words)
    return render(request, "413.html", {"words": words}, status=413)


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
        Attempts(request).remember_device(response)
        return response

    return answer


def explain_forms(get_response: Handler) -> Handler:
    """Tell in a page who opens an address that takes forms alone: Django's own answer is empty."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.method != "GET" or response.content:
            return response
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page

    return answer


def name_the_viewer(get_response: Handler) -> Handler:
    """Set request.viewer; the claim cookie is only read where somebody asks."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.viewer = SimpleLazyObject(lambda: players.viewer_of(request))  # type: ignore[attr-defined] # ours
        return get_response(request)

    return answer
