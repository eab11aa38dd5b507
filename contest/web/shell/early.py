"""What strangers are sent again as it is kept (contest.infra.kept), before anything else is done for their request.

Nobody of whom anything is known is answered here: who has a cookie but for theme and language, or a token.
"""

import re
import struct
import time
import zlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, parse_cookie
from django.utils import timezone
from django.utils.http import parse_etags

from contest import visibility
from contest.infra import clock, kept, logs
from contest.infra.site_address import scheme_of
from contest.stats import visitors

Handler = Callable[[HttpRequest], HttpResponse]
Environ = dict[str, Any]
Head = list[tuple[str, str]]

# Cookies that tell nothing of a person, and are a part of what is asked for.
_HARMLESS = dict.fromkeys(("theme", settings.LANGUAGE_COOKIE_NAME))
_LANGUAGES = tuple(f"/{code}/" for code, _name in settings.LANGUAGES)
_CONDITIONS = ("HTTP_AUTHORIZATION", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_RANGE")
_ASKED = "contest.asked_early"
# The one place of a page that is never kept.
_SERVER_TIME = re.compile(rb'(?<=<meta name="server-time" content=")[^"]*')
_OF_THE_BODY = ("Content-Type", "Content-Language", "Content-Disposition")
_GZIP = re.compile(r"\bgzip\b")
_GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # RFC 1952: deflate, no name, no time, no system
# As contest.web.shell.middleware.Packing has it.
_WORTH_PACKING = 200


class SentAnswer(kept.Answer):
    """An answer with what sending it again needs, made once."""

    @cached_property
    def head_unchanged(self) -> Head:
        """The head of "nothing has changed"."""
        return [(name, value) for name, value in self.headers.items() if name not in _OF_THE_BODY]

    @property
    def size(self) -> int:
        """With room for the packed page, which is no smaller where nothing can be packed."""
        return super().size + len(self.body or b"")

    def whole(self, at: datetime, *, packs: bool, unpacks: bool) -> tuple[Head, bytes]:
        """Head and body for who asks at *at*; packed where the site *packs* and they can unpack."""
        before, after, tells_time = self._parts
        told = timezone.localtime(at).isoformat().encode() if tells_time else b""
        packs = packs and len(self.body or b"") >= _WORTH_PACKING
        if packs and unpacks:
            head, body = self._head_packed, self._pack(told)
        else:
            head, body = self._head_varying if packs else list(self.headers.items()), b"".join((before, told, after))
        return [*head, ("Content-Length", str(len(body)))], body

    @cached_property
    def _time_at(self) -> tuple[int, int] | None:
        """From where to where the body tells the time."""
        found = _SERVER_TIME.search(self.body or b"")
        return found.span() if found else None

    @property
    def _parts(self) -> tuple[memoryview, memoryview, bool]:
        """The body before and after the time, and whether it tells it; looked at, not copied: it is kept once."""
        body = memoryview(self.body or b"")
        start, end = self._time_at or (len(body), len(body))
        return body[:start], body[end:], self._time_at is not None

    @cached_property
    def _packed_parts(self) -> tuple[bytes, bytes]:
        """Both packed, so that what is packed by itself may stand between them."""
        before, after, _tells_time = self._parts
        return _deflate(before, zlib.Z_FULL_FLUSH), _deflate(after, zlib.Z_FINISH)

    def _pack(self, told: bytes) -> bytes:
        """RFC 1952: head, the parts in their order, checksum and length of all."""
        (before, after, _tells_time), (packed_before, packed_after) = self._parts, self._packed_parts
        checksum = zlib.crc32(after, zlib.crc32(told, zlib.crc32(before)))
        end = struct.pack("<LL", checksum, len(before) + len(told) + len(after))
        return b"".join((_GZIP_HEAD, packed_before, _deflate(told, zlib.Z_FULL_FLUSH), packed_after, end))

    @cached_property
    def _head_varying(self) -> Head:
        vary = ", ".join(filter(None, (self.headers.get("Vary"), "Accept-Encoding")))
        return list({**self.headers, "Vary": vary}.items())

    @cached_property
    def _head_packed(self) -> Head:
        etag = {"ETag": f"W/{self.etag}"} if self.etag.startswith('"') else {}
        return list({**dict(self._head_varying), **etag, "Content-Encoding": "gzip"}.items())


def _deflate(text: bytes | memoryview, flush: int) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush(flush)


@dataclass(frozen=True)
class Again:
    """What is sent again; `match` is which address it was, for the log."""

    status: HTTPStatus
    headers: Head
    body: bytes
    match: Any


class Entrance:
    """The *site* as web servers call it (PEP 3333), answering early before Django does anything for a request."""

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site
        self._packs = "contest.web.shell.middleware.Packing" in settings.MIDDLEWARE

    def __call__(self, environ: Environ, start: Callable[..., object]) -> Iterable[bytes]:
        started = time.monotonic()
        visitors.count(environ)
        answer = _again(environ, asked_for(environ), clock.now(), packs=self._packs)
        if answer is None:
            environ[_ASKED] = True
            return self._site(environ, start)
        request_id = logs.name_request(environ.get("HTTP_X_REQUEST_ID", ""))
        if settings.LOG_REQUESTS:
            logs.say_answered(environ["REQUEST_METHOD"], answer.match, answer.status, time.monotonic() - started)
        start(f"{answer.status.value} {answer.status.phrase}", [*answer.headers, ("X-Request-ID", request_id)])
        return [answer.body]


def answer_early(get_response: Handler) -> Handler:
    """Keep what may be kept; and answer early who has not come by the `Entrance`."""

    def answer(request: HttpRequest) -> HttpResponse:
        key, at = asked_for(request.META), clock.now()
        if key is None:
            return get_response(request)
        if _ASKED not in request.META and (again := _again(request.META, key, at)):
            request.resolver_match = again.match
            kind = HttpResponseNotModified if again.status is HTTPStatus.NOT_MODIFIED else HttpResponse
            return kind(again.body, headers=dict(again.headers))
        request.may_keep = True  # type: ignore[attr-defined] # ours
        response = get_response(request)
        if hasattr(request, "kept_while"):
            with suppress(Error):  # it has been answered, whatever the database says now
                _keep(key, request, response, at)
        return response

    return answer


def asked_for(environ: Mapping[str, Any]) -> Hashable:
    """All that an answer depends on which stands in the request; None where that may be a person."""
    if environ["REQUEST_METHOD"] != "GET" or environ.get("SCRIPT_NAME") or not environ.keys().isdisjoint(_CONDITIONS):
        return None
    sent = environ.get("HTTP_COOKIE")
    cookies = parse_cookie(sent) if sent else {}
    if not cookies.keys() <= _HARMLESS.keys():
        return None
    path = environ["PATH_INFO"]
    languages = "" if path.startswith(_LANGUAGES) else environ.get("HTTP_ACCEPT_LANGUAGE", "")
    chosen = tuple(cookies.get(name) for name in _HARMLESS)
    return scheme_of(environ), environ.get("HTTP_HOST"), path, environ.get("QUERY_STRING"), languages, chosen


def _again(environ: Mapping[str, Any], key: Hashable, at: datetime, *, packs: bool = False) -> Again | None:
    """What is kept for who asks for *key* at *at*; *packs*: as the site packs it for who can unpack."""
    found = kept.store.find(key) if key is not None else None
    if not isinstance(found, SentAnswer):
        return None
    is_known = _is_known(found.etag, environ.get("HTTP_IF_NONE_MATCH"))
    if (found.body is None and not is_known) or not found.holds(at):
        return None
    if is_known:
        return Again(HTTPStatus.NOT_MODIFIED, found.head_unchanged, b"", found.match)
    unpacks = packs and _GZIP.search(environ.get("HTTP_ACCEPT_ENCODING", "")) is not None
    headers, body = found.whole(at, packs=packs, unpacks=unpacks)
    return Again(HTTPStatus.OK, headers, body, found.match)


def _is_known(etag: str, known: str | None) -> bool:
    """Whether who names what they *know* has what has this *etag*, by the weak comparison of RFC 9110, 8.8.3.2."""
    if not etag or not known:
        return False
    plain = etag.removeprefix("W/")
    return known == "*" or any(one.removeprefix("W/") == plain for one in parse_etags(known))


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
    kept.store.put(key, SentAnswer(ask, state, at, until, headers, body, request.resolver_match))
