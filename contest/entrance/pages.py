"""Serve cached responses (contest.infra.kept) to anonymous clients before Django handles the request.

Requests with a token or with cookies other than theme and language bypass the cache.
"""

import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags

from contest import visibility
from contest.entrance import keys
from contest.entrance.packing import SentAnswer, accepts_gzip
from contest.infra import clock, kept, logs
from contest.stats import visitors

Handler = Callable[[HttpRequest], HttpResponse]
Environ = dict[str, Any]
Head = list[tuple[str, str]]

_LOOKED_UP = "contest.asked_early"


@dataclass(frozen=True)
class CachedResponse:
    """A cached response in its sent form; `match` is its URL match, for the log."""

    status: HTTPStatus
    headers: Head
    body: bytes
    match: Any


class Entrance:
    """WSGI middleware (PEP 3333) around *site*: answer from the cache before Django handles the request."""

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site
        self._packs = "contest.web.shell.middleware.Packing" in settings.MIDDLEWARE

    def __call__(self, environ: Environ, start: Callable[..., object]) -> Iterable[bytes]:
        answer = None if _LOOKED_UP in environ else self.answer(environ, start)
        if answer is not None:
            return answer
        visitors.count_visit(environ)
        return self._site(environ, start)

    @property
    def cache(self) -> "Entrance":
        """Return itself: contest.front.gateway asks the application's `cache` before it queues a request."""
        return self

    def may_answer(self, environ: Environ) -> bool:
        """Return True if there is a cached response, which may be outdated. No query."""
        return kept.store.find(keys.page_key(environ)) is not None

    def answer(self, environ: Environ, start: Callable[..., object]) -> Iterable[bytes] | None:
        """Return the body of the cached response, or None."""
        started = time.monotonic()
        answer = _find_cached(environ, keys.page_key(environ), clock.now(), site_packs=self._packs)
        environ[_LOOKED_UP] = True
        if answer is None:
            return None
        visitors.count_visit(environ)
        request_id = logs.name_request(environ)
        if settings.LOG_REQUESTS:
            logs.say_answered(environ["REQUEST_METHOD"], answer.match, answer.status, time.monotonic() - started)
        start(f"{answer.status.value} {answer.status.phrase}", [*answer.headers, ("X-Request-ID", request_id)])
        return [answer.body]


def answer_early(get_response: Handler) -> Handler:
    """Django middleware: store cacheable responses, and serve cached ones if the request bypassed `Entrance`."""
    if not settings.FAST_PATHS["kept_pages"]:
        raise MiddlewareNotUsed

    def answer(request: HttpRequest) -> HttpResponse:
        key, at = keys.page_key(request.META), clock.now()
        if key is None:
            return get_response(request)
        if _LOOKED_UP not in request.META and (cached := _find_cached(request.META, key, at)):
            request.resolver_match = cached.match
            kind = HttpResponseNotModified if cached.status is HTTPStatus.NOT_MODIFIED else HttpResponse
            return kind(cached.body, headers=dict(cached.headers))
        request.may_keep = True  # type: ignore[attr-defined] # ours
        response = get_response(request)
        if hasattr(request, "cache_state"):
            with suppress(Error):  # The response is complete; a database error now must not replace it.
                _store(keys.page_key(request.META), request, response, at)
        return response

    return answer


def _find_cached(
    environ: Mapping[str, Any], key: Hashable, at: datetime, *, site_packs: bool = False
) -> CachedResponse | None:
    """Return the cached response for *key* at *at*, or None; with *site_packs*, gzipped for clients that accept it."""
    cached = kept.store.find(key) if key is not None else None
    if not isinstance(cached, SentAnswer):
        return None
    is_known = _is_known(cached.etag, environ.get("HTTP_IF_NONE_MATCH"))
    if (cached.body is None and not is_known) or not cached.holds(at):
        return None
    if is_known:
        return CachedResponse(HTTPStatus.NOT_MODIFIED, cached.head_unchanged, b"", cached.match)
    client_unpacks = site_packs and accepts_gzip(environ)
    headers, body = cached.render(at, site_packs=site_packs, client_unpacks=client_unpacks)
    return CachedResponse(HTTPStatus.OK, headers, body, cached.match)


def _is_known(etag: str, known: str | None) -> bool:
    """Return True if *etag* matches If-None-Match *known* by the weak comparison of RFC 9110, 8.8.3.2."""
    if not etag or not known:
        return False
    plain = etag.removeprefix("W/")
    return known == "*" or any(candidate.removeprefix("W/") == plain for candidate in parse_etags(known))


def _store(key: Hashable, request: HttpRequest, response: HttpResponse, at: datetime) -> None:
    """Store *response* to a request received at *at*, if cacheable."""
    read_state, state = request.cache_state  # type: ignore[attr-defined] # ours
    is_unchanged = response.status_code == HTTPStatus.NOT_MODIFIED and "ETag" in response
    if state is None or response.streaming or response.cookies or not (is_unchanged or response.status_code == 200):
        return
    until = at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    # If the state changed meanwhile, the response may or may not contain the change.
    if visibility.changes_by_time(at, until) or read_state() != state:
        return
    headers = {name: value for name, value in response.items() if name != "Content-Length"}
    body = None if is_unchanged else response.content
    kept.parameters.learn(request.META["PATH_INFO"], request.cache_reads)  # type: ignore[attr-defined] # set by `kept.keep`
    kept.store.put(key, SentAnswer(read_state, state, at, until, headers, body, request.resolver_match))
