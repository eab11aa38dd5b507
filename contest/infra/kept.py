"""In-process cache of whole responses for anonymous clients, valid while nothing can have changed.

A URL opts in where it is declared (`keep(view)` in a URLconf). Its response is stored in this process with the state
it depends on: by default the whole database (`database.state`), which suits any page, or the versions that the
page's ETag is built from. A cache hit costs one query and returns the response or 304.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial, wraps
from threading import Lock
from typing import Any
from urllib.parse import unquote_plus

from django.db import Error
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from contest.infra import identity
from contest.infra.database import state as database_state

State = Callable[[], Hashable]
View = Callable[..., HttpResponseBase]

MAX_BYTES = 33_554_432
_MAX_BODY_BYTES = 524_288
# Memory of an entry in addition to its body.
_ENTRY_OVERHEAD = 4_096
_MOST_PATHS = 8_192


@dataclass(frozen=True)
class CachedResponse:
    """Cached response, valid while `ask` returns `state`, up to `until`; `body` is None if only the ETag is known."""

    ask: State
    state: Hashable
    since: datetime
    until: datetime
    headers: dict[str, str]
    body: bytes | None
    match: Any  # the resolver match, for the log

    @property
    def etag(self) -> str:
        return self.headers.get("ETag", "")

    @property
    def size(self) -> int:
        """Return the bytes an entry counts for, including later compressed copies."""
        return len(self.body or b"") + _ENTRY_OVERHEAD

    def holds(self, at: datetime) -> bool:
        """Return whether the response may be sent at *at*; queries the database."""
        return self.since <= at < self.until and self.ask() == self.state


class Parameters:
    """The names of the parameters that pages read, by path, as far as responses are cached."""

    def __init__(self) -> None:
        self._names: dict[str, frozenset[str]] = {}

    def learn(self, path: str, names: frozenset[str]) -> None:
        if len(self._names) >= _MOST_PATHS:
            self._names.clear()
        self._names[path] = names

    def known_part(self, environ: Mapping[str, Any]) -> str:
        """Return the query without the parameters that the page does not read; all of it if the path is unknown."""
        query: str = environ.get("QUERY_STRING", "")
        names = self._names.get(environ["PATH_INFO"]) if query else None
        return query if names is None else _known_part(query, names)


class Store:
    """Responses by cache key; evicts the least recently used entries when full."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._size = 0
        self._responses: OrderedDict[Hashable, CachedResponse] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Hashable) -> CachedResponse | None:
        with self._lock:
            if key in self._responses:
                self._responses.move_to_end(key)
            return self._responses.get(key)

    def put(self, key: Hashable, response: CachedResponse) -> None:
        if len(response.body or b"") > _MAX_BODY_BYTES:
            return
        with self._lock:
            previous = self._responses.pop(key, None)
            if previous:
                self._size -= previous.size
                if response.body is None and previous.etag == response.etag:  # unchanged since
                    response = replace(response, body=previous.body, headers=previous.headers)
            self._responses[key] = response
            self._size += response.size
            while self._size > self._max_bytes:
                _oldest_key, oldest = self._responses.popitem(last=False)
                self._size -= oldest.size

    def clear(self) -> None:
        with self._lock:
            self._responses.clear()
            self._size = 0


def _known_part(query: str, names: frozenset[str]) -> str:
    """Return *query* without other parameters than *names*; all of it if the site refuses it (`NoNul`)."""
    if "%00" in query:
        return query
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) in names)


store = Store()
parameters = Parameters()


def _state_now(ask: State) -> Hashable:
    """Return the current state, or None while the database is down: the page then reports that itself."""
    try:
        state = ask()
    except Error:
        return None
    identity.refresh()
    return None if state is None else (identity.version(), state)


def whole_database(*_args: Any, **_kwargs: Any) -> State:
    """Return the strictest condition, for any page: nothing at all was written to the database."""
    return database_state.name


def keep(view: View, state_function: Callable[..., State] = whole_database, *, reads: str = "") -> View:
    """Make responses of *view* cacheable; *state_function* takes its arguments and returns a reader of its state.

    *reads* names all parameters of the query that the view reads. It sees no others, so that they make no other page.
    """
    names = frozenset(reads.split())

    @wraps(view)
    def cacheable_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not getattr(request, "may_keep", False):
            return view(request, *args, **kwargs)
        request.META["QUERY_STRING"] = query = _known_part(request.META.get("QUERY_STRING", ""), names)
        request.GET = QueryDict(query, encoding=request.encoding)
        request.cache_reads = names  # type: ignore[attr-defined] # as middleware does
        ask = partial(_state_now, state_function(request, *args, **kwargs))
        request.cache_state = ask, ask()  # type: ignore[attr-defined] # ours; before the page reads any data
        return view(request, *args, **kwargs)

    cacheable_view.state_function = state_function  # type: ignore[attr-defined] # ours: tests find these URLs by it
    cacheable_view.reads = names  # type: ignore[attr-defined] # like Django's csrf_exempt
    return cacheable_view


def not_modified(request: HttpRequest, etag: str) -> HttpResponseBase | None:
    """Return 304 with its ETag (RFC 9110, 15.4.5) if the client already has *etag*, else None."""
    response = get_conditional_response(request, etag=etag)
    if response is not None:
        response["ETag"] = etag
    return response
