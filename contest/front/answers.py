"""Buffered responses, and responses that are rendered once: health, 408, 429 and 503."""

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_supported_language_variant, gettext, override
from django.utils.translation import gettext_noop as _
from django.utils.translation.trans_real import parse_accept_lang_header

from contest.front.shares import Holdings
from contest.infra import identity

_IN_MEMORY = 1_048_576
# Most bytes of unread responses, per sender, per region (a /16, or a /32 of IPv6) and of all senders together; the only
# response of each may be larger.
MOST_UNREAD_PER_SENDER = 67_108_864
MOST_UNREAD_PER_REGION = 536_870_912
MOST_UNREAD = 1_073_741_824
# Refusals are sent at this pace, each after so long at most. The client shall wait for longer before it asks again.
PACED = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
REFUSALS_PER_SECOND, MOST_REFUSAL_SECONDS = 100, 5.0
# A response up to this size fits into the connection's own buffers.
_SMALL = 65_536
# Retry-After for refused requests: by then all queued requests have been served or refused.
RETRY_SECONDS = 10

_REFUSALS = {
    HTTPStatus.REQUEST_TIMEOUT: (
        "too_slow",
        _("The request arrived too slowly and was cancelled. Nothing was stored; send it again."),
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        "quota",
        _("Too many requests. Try again in a minute."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "overloaded",
        _("The site is overloaded. This request was not processed; send the same request again later."),
    ),
}


def _open_buffer() -> IO[bytes]:
    return SpooledTemporaryFile(_IN_MEMORY)


@dataclass
class Answer:
    """Status, headers and body; a large body is stored in a temporary file until it has been sent."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: IO[bytes] = field(default_factory=_open_buffer)
    size: int = 0

    def start(
        self,
        status: str,
        headers: list[tuple[str, str]],
        exc_info: object = None,  # noqa: ARG002 - PEP 3333 requires it
    ) -> Callable[[bytes], object]:
        """Store status and headers; WSGI's `start_response`."""
        self.status = int(status[:3])
        self.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return self.body.write

    def take(self, parts: Iterable[bytes]) -> None:
        """Store the body from a WSGI iterable, then close the iterable."""
        try:
            for part in parts:
                self.body.write(part)
        finally:
            if close := getattr(parts, "close", None):
                close()
        self.size = self.body.tell()
        self.body.seek(0)


class Unread:
    """Accounting of one process's responses that clients have not read yet: they use memory, or disk if large."""

    def __init__(self) -> None:
        self._held = Holdings()

    def charge(self, sender: str, size: int) -> bool:
        """Charge a response of *size* bytes to *sender* and return True; return False if it exceeds a limit."""
        limits = (
            (self._held.of(sender), MOST_UNREAD_PER_SENDER),
            (self._held.of_region(sender), MOST_UNREAD_PER_REGION),
            (self._held.total, MOST_UNREAD),
        )
        if size > _SMALL and any(held and held + size > most for held, most in limits):
            return False
        self._held.add(sender, size)
        return True

    def release(self, sender: str, size: int) -> None:
        """Release *size* bytes after the response was sent or the client disconnected."""
        self._held.add(sender, -size)


class Refusals:
    """The pace of refusals: clients that ask again at once would occupy the event loop with nothing else."""

    def __init__(self) -> None:
        self._next_at = 0.0

    def reserve(self, now: float) -> float:
        """Return the seconds after which the next refusal may be sent."""
        self._next_at = max(self._next_at, now) + 1 / REFUSALS_PER_SECOND
        self._next_at = min(self._next_at, now + MOST_REFUSAL_SECONDS)
        return self._next_at - now - 1 / REFUSALS_PER_SECOND


def cache_error_answers() -> None:
    """Cache the error responses: without free file descriptors no template or translation can be opened."""
    gettempdir()  # It opens files to find the directory, and caches the result.
    for status in _REFUSALS:
        _render_page(status, identity.version())
        for language, _name in settings.LANGUAGES:
            _render_problem(status, language)


def report_health() -> Answer:
    return _make_answer(HTTPStatus.OK, "text/plain", b"ok\n", {"Cache-Control": "no-store"})


def report_draining() -> Answer:
    """Return the probes' response while this process drains."""
    return _make_answer(HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", b"ending\n", {})


def refuse_slow(path: str, languages: str) -> Answer:
    """Return the response to a request that came too slowly; *languages* is its Accept-Language header."""
    return _make_refusal(HTTPStatus.REQUEST_TIMEOUT, path, languages, {"Connection": "close"})


def refuse_overload(path: str, languages: str) -> Answer:
    """Return the response to a request that no thread can serve in time."""
    return _make_refusal(
        HTTPStatus.SERVICE_UNAVAILABLE, path, languages, {"Retry-After": str(RETRY_SECONDS), "Connection": "close"}
    )


def refuse_busy(path: str, wait: int) -> Answer:
    """Return the response to a request beyond a rate limit; outside the API, which has its own messages."""
    return _make_refusal(HTTPStatus.TOO_MANY_REQUESTS, path, "", {"Retry-After": str(wait)})


def _make_refusal(status: HTTPStatus, path: str, languages: str, headers: dict[str, str]) -> Answer:
    if path.startswith("/api/v1/"):
        return _make_answer(
            status, "application/problem+json", _render_problem(status, choose_api_language(languages)), headers
        )
    if path.startswith(("/zh-hans/", "/en/")) or path == "/":
        return _make_answer(status, "text/html; charset=utf-8", _render_page(status, identity.version()), headers)
    return _make_answer(status, "text/plain; charset=utf-8", f"{_REFUSALS[status][1]}\n".encode(), headers)


def _make_answer(status: HTTPStatus, kind: str, body: bytes, headers: dict[str, str]) -> Answer:
    answer = Answer()
    all_headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": "no-store", **headers}
    answer.start(str(status.value), list(all_headers.items()))
    answer.take([body])
    return answer


@cache
def _render_problem(status: HTTPStatus, language: str) -> bytes:
    """Return a problem body in the format of contest.api.exceptions, for a request that does not reach the API."""
    code, detail = _REFUSALS[status]
    with override(language):
        problem: dict[str, object] = {
            "title": status.phrase,
            "status": status.value,
            "code": code,
            "detail": gettext(detail),
            "errors": [],
        }
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        problem["retry_after"] = RETRY_SECONDS
    return json.dumps({"type": "about:blank", **problem}, ensure_ascii=False).encode()


@cache
def _render_page(status: HTTPStatus, _version: int) -> bytes:
    """Return the page of *status*, which shows the site's name of this version (`identity.version`)."""
    return render_to_string(f"{status.value}.html").encode()


def choose_api_language(languages: str) -> str:
    """Return the API's language for *languages* (Accept-Language); English if none is supported.

    >>> choose_api_language("xx, zh-CN;q=0.5"), choose_api_language("xx"), choose_api_language("")
    ('zh-hans', 'en', 'en')
    """
    for code, _weight in parse_accept_lang_header(languages):
        with suppress(LookupError):
            return get_supported_language_variant(code)
    return "en"
