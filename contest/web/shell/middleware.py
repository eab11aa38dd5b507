"""Middleware: request id, gzip, ranges, body size, NUL, language, viewer, device, policy headers, 405 page."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
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
from django.utils.translation import activate, get_language_from_path, get_supported_language_variant, override
from django.utils.translation import gettext as _
from django.utils.translation.trans_real import parse_accept_lang_header

from contest import players
from contest.front import answers, doors
from contest.infra import identity, logs
from contest.infra.attempts import Attempts

Handler = Callable[[HttpRequest], HttpResponse]

_NUL = re.compile(r"\bNUL\b|null (byte|character)")
# Browser features that pages may use: the clipboard, fullscreen and passkeys, only on our own origin.
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
    """Compress responses, except partial content: its range refers to the bytes of the uncompressed file."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_part = response.status_code == HTTPStatus.PARTIAL_CONTENT
        return response if is_part else super().process_response(request, response)


def send_whole_files(get_response: Handler) -> Handler:
    """Ignore the range of a request with If-Range and send the whole file.

    WhiteNoise ignores If-Range, so a client that resumes a download could join two versions of the file.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if "HTTP_IF_RANGE" in request.META:
            request.META.pop("HTTP_RANGE", None)
        return get_response(request)

    return answer


def name_the_request(get_response: Handler) -> Handler:
    """Set a request id, or keep a valid one from a proxy; every log line and the response carry it."""

    def answer(request: HttpRequest) -> HttpResponse:
        started = request.META.get(logs.STARTED) or time.monotonic()
        request_id = logs.name_request(request.META)
        response = get_response(request)
        response["X-Request-ID"] = request_id
        if settings.LOG_REQUESTS:
            seconds = time.monotonic() - started
            logs.say_answered(request.method, request.resolver_match, response.status_code, seconds)
        return response

    return answer


class Languages(LocaleMiddleware):
    """Activate the language of the URL, or else the reader's."""

    def process_request(self, request: HttpRequest) -> None:
        request.LANGUAGE_CODE = _language_of(request)
        activate(_language_of(request))


def _language_of(request: HttpRequest) -> str:
    """Return the request's language. For the API only Accept-Language counts: the API ignores cookies."""
    asked = request.headers.get("Accept-Language", "")
    if request.path.startswith("/api/v1/"):
        return answers.choose_api_language(asked)
    if language := get_language_from_path(request.path_info):
        return language
    wanted = [request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")]
    wanted += [code for code, _quality in parse_accept_lang_header(asked)]
    for code in wanted:
        with suppress(LookupError, ValueError):
            return get_supported_language_variant(code)
    return identity.language()


class NoNul:
    """Refuse NUL characters: no valid input contains one, and PostgreSQL does not accept them.

    Check URLs and cookies first. Forms check themselves; if a NUL still reaches the database, turn its error into 400.
    """

    def __init__(self, get_response: Handler) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        texts = [request.path_info, unquote_plus(request.META.get("QUERY_STRING", "")), *request.COOKIES.values()]
        return _render_bad_request(request) if any("\0" in text for text in texts) else self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        is_nul = isinstance(exception, DataError | ValueError) and _NUL.search(str(exception))
        return _render_bad_request(request) if is_nul else None


def _render_bad_request(request: HttpRequest) -> HttpResponse:
    with override(_language_of(request)):
        if request.path.startswith("/api/"):
            return _problem(HTTPStatus.BAD_REQUEST, "bad_request", _("The request is not acceptable."))
        return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


def _problem(status: HTTPStatus, code: str, detail: str) -> HttpResponse:
    """Return a problem response in the format of contest.api.exceptions."""
    problem = {"type": "about:blank", "title": status.phrase, "status": status.value, "code": code, "detail": detail}
    return JsonResponse({**problem, "errors": []}, status=status, content_type="application/problem+json")


def bound_body(get_response: Handler) -> Handler:
    """Refuse a body larger than its door allows, before reading it."""

    def answer(request: HttpRequest) -> HttpResponse:
        limit = doors.most_bytes(request.path)
        try:
            size = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            size = 0
        if size <= limit or request.path.startswith(doors.LEGACY_DOOR):  # It has its own error format.
            return get_response(request)
        with override(_language_of(request)):
            return _too_large(request, {"size": f"{size:,}", "limit": f"{limit:,}"})

    return answer


def _too_large(request: HttpRequest, sizes: dict[str, str]) -> HttpResponse:
    message = _("This request has %(size)s bytes; the limit here is %(limit)s.") % sizes
    if request.path.startswith("/api/"):
        return _problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message)
    return render(request, "413.html", {"words": message}, status=413)


def state_policies(get_response: Handler) -> Handler:
    """Set Permissions-Policy, and a Cross-Origin-Resource-Policy that lets other sites load only shared content."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Permissions-Policy", _PERMISSIONS)
        response.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if _is_shared(request) else "same-origin")
        return response

    return answer


def _is_shared(request: HttpRequest) -> bool:
    """Return True for content of `sharing` (pictures, films, feeds, embedded pages), files of pages, and the API.

    A browser also asks for the icon of an embedded page, which has no origin.
    """
    if request.path.startswith((settings.STATIC_URL, "/api/", "/app/", "/favicon.ico")):
        return True
    match = request.resolver_match
    return match is not None and match.func.__module__.startswith("contest.web.sharing")


def remember_the_device(get_response: Handler) -> Handler:
    """Set a cookie that identifies a browser in which an account was opened (contest.infra.attempts)."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        Attempts(request).remember_device(response)
        return response

    return answer


def explain_forms(get_response: Handler) -> Handler:
    """Show a page for GET on a form-only URL: Django's own 405 response is empty."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.method != "GET" or response.content:
            return response
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page

    return answer


def name_the_viewer(get_response: Handler) -> Handler:
    """Set request.viewer lazily; the claim cookie is read only if the viewer is used."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.viewer = SimpleLazyObject(lambda: players.viewer_of(request))  # type: ignore[attr-defined] # ours
        return get_response(request)

    return answer
