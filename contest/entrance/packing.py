"""Cached responses in their sent form, and gzip for clients that accept it."""

import re
import struct
import zlib
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone

from contest.infra import identity, kept

Head = list[tuple[str, str]]

# The only part of a page that must not be cached.
_SERVER_TIME = re.compile(rb'(?<=<meta name="server-time" content=")[^"]*')
_BODY_HEADERS = ("Content-Type", "Content-Language", "Content-Disposition")
_GZIP = re.compile(r"\bgzip\b")
_GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # RFC 1952: deflate, no name, no time, no system
# Bytes; the minimum of contest.web.shell.middleware.Packing (Django's GZipMiddleware).
_WORTH_PACKING = 200


def accepts_gzip(environ: Mapping[str, Any]) -> bool:
    return _GZIP.search(environ.get("HTTP_ACCEPT_ENCODING", "")) is not None


def pack(environ: dict[str, Any], head: Head, body: bytes) -> tuple[Head, bytes]:
    """Return *head* and *body* as the middleware would compress them for this client."""
    if not accepts_gzip(environ):
        return head, body
    request, response = HttpRequest(), HttpResponse(body, headers=dict(head))
    request.META = environ
    GZipMiddleware(lambda _request: response).process_response(request, response)
    return [(name, value) for name, value in response.items() if name != "Content-Length"], response.content


class SentAnswer(kept.CachedResponse):
    """A cached response with its compressed form, which is computed once."""

    @cached_property
    def head_unchanged(self) -> Head:
        """Return the headers of a 304 response."""
        return [(name, value) for name, value in self.headers.items() if name not in _BODY_HEADERS]

    @property
    def size(self) -> int:
        """Include the compressed body, which in the worst case is as large as the body."""
        return super().size + len(self.body or b"")

    def render(self, at: datetime, *, site_packs: bool, client_unpacks: bool) -> tuple[Head, bytes]:
        """Return headers and body at *at*, compressed if *site_packs* and *client_unpacks*."""
        before, after, has_time = self._parts
        server_time = timezone.localtime(at, identity.zone()).isoformat().encode() if has_time else b""
        site_packs = site_packs and len(self.body or b"") >= _WORTH_PACKING
        if site_packs and client_unpacks:
            head, body = self._head_packed, self._pack(server_time)
        else:
            head = self._head_with_vary if site_packs else list(self.headers.items())
            body = b"".join((before, server_time, after))
        return [*head, ("Content-Length", str(len(body)))], body

    @cached_property
    def _time_span(self) -> tuple[int, int] | None:
        """Return the span of the server time in the body, or None."""
        found = _SERVER_TIME.search(self.body or b"")
        return found.span() if found else None

    @property
    def _parts(self) -> tuple[memoryview, memoryview, bool]:
        """Return the body before and after the server time, and whether there is one; views, to avoid copies."""
        body = memoryview(self.body or b"")
        start, end = self._time_span or (len(body), len(body))
        return body[:start], body[end:], self._time_span is not None

    @cached_property
    def _packed_parts(self) -> tuple[bytes, bytes]:
        """Return both parts compressed separately, so that the compressed time can be inserted between them."""
        before, after, _has_time = self._parts
        return _deflate(before, zlib.Z_FULL_FLUSH), _deflate(after, zlib.Z_FINISH)

    def _pack(self, server_time: bytes) -> bytes:
        """Return the gzip file (RFC 1952): header, the parts in order, checksum and length of the whole body."""
        (before, after, _has_time), (packed_before, packed_after) = self._parts, self._packed_parts
        checksum = zlib.crc32(after, zlib.crc32(server_time, zlib.crc32(before)))
        end = struct.pack("<LL", checksum, len(before) + len(server_time) + len(after))
        return b"".join((_GZIP_HEAD, packed_before, _deflate(server_time, zlib.Z_FULL_FLUSH), packed_after, end))

    @cached_property
    def _head_with_vary(self) -> Head:
        vary = ", ".join(filter(None, (self.headers.get("Vary"), "Accept-Encoding")))
        return list({**self.headers, "Vary": vary}.items())

    @cached_property
    def _head_packed(self) -> Head:
        etag = {"ETag": f"W/{self.etag}"} if self.etag.startswith('"') else {}
        return list({**dict(self._head_with_vary), **etag, "Content-Encoding": "gzip"}.items())


def _deflate(text: bytes | memoryview, flush: int) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush(flush)
