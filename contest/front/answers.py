"""Buffered responses, and responses sent without a thread: health, 408 and 503."""

import json
from collections import Counter
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

_IN_MEMORY = 1_048_576
# Most bytes of unread responses, per sender and of all senders together; a sender's only response may be larger.
MOST_UNREAD_FOR_ONE = 67_108_864
MOST_UNREAD = 1_073_741_824
# A response up to this size fits into the connection's own buffers.
_SMALL = 65_536
# Retry-After for refused requests: by then all queued requests have been served or refused.
RETRY_SECONDS = 10

_WORDS = {
    HTTPStatus.REQUEST_TIMEOUT: (
        "too_slow",
        _("The request came too slowly and was given up. Nothing of it was taken; send it again."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "overloaded",
        _("More is asked of the site than it can do. Nothing of this request was taken; send the same again later."),
    ),
}


def _file() -> IO[bytes]:
    return SpooledTemporaryFile(_IN_MEMORY)


@dataclass
class Answer:
    """Status, headers and body; a large body is stored in a temporary file until it has been sent."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: IO[bytes] = field(default_factory=_file)
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
        self._of: Counter[str] = Counter()
        self._all = 0

    def take(self, sender: str, size: int) -> bool:
        """Charge a response of *size* bytes to *sender* and return True; return False if it exceeds a limit."""
        of_one, of_all = self._of[sender], self._all
        if size > _SMALL and (
            (of_one and of_one + size > MOST_UNREAD_FOR_ONE) or (of_all and of_all + size > MOST_UNREAD)
        ):
            return False
        self._of[sender] += size
        self._all += size
        return True

    def let_go(self, sender: str, size: int) -> None:
        """Release *size* bytes after the response was sent or the client disconnected."""
        self._all -= size
        self._of[sender] -= size
        if not self._of[sender]:
            del self._of[sender]


def learn_words() -> None:
    """Cache the error responses: without free file descriptors no template or translation can be opened."""
    gettempdir()  # It opens files to find the directory, and caches the result.
    for status in _WORDS:
        _page(status)
        for language, _name in settings.LANGUAGES:
            _problem(status, language)


def healthy() -> Answer:
    return _make(HTTPStatus.OK, "text/plain", b"ok\n", {"Cache-Control": "no-store"})


def ending() -> Answer:
    """Return the probes' response while this process drains."""
    return _make(HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", b"ending\n", {})


def too_slow(path: str, languages: str) -> Answer:
    """Return the response to a request that came too slowly; *languages* is its Accept-Language header."""
    return _refusal(HTTPStatus.REQUEST_TIMEOUT, path, languages, {"Connection": "close"})


def busy(path: str, languages: str) -> Answer:
    """Return the response to a request that no thread can serve in time."""
    return _refusal(
        HTTPStatus.SERVICE_UNAVAILABLE, path, languages, {"Retry-After": str(RETRY_SECONDS), "Connection": "close"}
    )


def _refusal(status: HTTPStatus, path: str, languages: str, headers: dict[str, str]) -> Answer:
    if path.startswith("/api/v1/"):
        return _make(status, "application/problem+json", _problem(status, language_of_programs(languages)), headers)
    if path.startswith(("/zh-hans/", "/en/")) or path == "/":
        return _make(status, "text/html; charset=utf-8", _page(status), headers)
    return _make(status, "text/plain; charset=utf-8", f"{_WORDS[status][1]}\n".encode(), headers)


def _make(status: HTTPStatus, kind: str, body: bytes, headers: dict[str, str]) -> Answer:
    answer = Answer()
    all_headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": "no-store", **headers}
    answer.start(str(status.value), list(all_headers.items()))
    answer.take([body])
    return answer


@cache
def _problem(status: HTTPStatus, language: str) -> bytes:
    """Return a problem body in the format of contest.api.exceptions, for a request that does not reach the API."""
    code, words = _WORDS[status]
    with override(language):
        said: dict[str, object] = {
            "title": status.phrase,
            "status": status.value,
            "code": code,
            "detail": gettext(words),
            "errors": [],
        }
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        said["retry_after"] = RETRY_SECONDS
    return json.dumps({"type": "about:blank", **said}, ensure_ascii=False).encode()


@cache
def _page(status: HTTPStatus) -> bytes:
    return render_to_string(f"{status.value}.html").encode()


def language_of_programs(languages: str) -> str:
    """Return the API's language for *languages* (Accept-Language); English if none is supported.

    >>> language_of_programs("fr, zh-CN;q=0.5"), language_of_programs("fr"), language_of_programs("")
    ('zh-hans', 'en', 'en')
    """
    for code, _weight in parse_accept_lang_header(languages):
        with suppress(LookupError):
            return get_supported_language_variant(code)
    return "en"
