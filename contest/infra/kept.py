"""In-process cache of whole responses for anonymous clients, valid while nothing can have changed.

A URL opts in where it is declared (`keep(view)` in a URLconf). Its response is stored in this process with the state
it depends on: by default the whole database (`database.state`), which suits any page, or the versions that the
page's ETag is built from. A cache hit costs one query and returns the response or 304.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from threading import Lock
from typing import Any

from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from contest.infra.database import state as database_state

State = Callable[[], Hashable]
View = Callable[..., HttpResponseBase]

MOST_BYTES = 33_554_432
_LONGEST = 524_288
# Memory of an entry in addition to its body.
_BESIDE = 4_096


@dataclass(frozen=True)
class Answer:
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
        return len(self.body or b"") + _BESIDE

    def holds(self, at: datetime) -> bool:
        """Return whether the response may be sent at *at*; queries the database."""
        return self.since <= at < self.until and _state_now(self.ask) == self.state


class Store:
    """Responses by cache key; evicts the least recently used entries when full."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._size = 0
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()
        self._turn = Lock()

    def find(self, key: Hashable) -> Answer | None:
        with self._turn:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def put(self, key: Hashable, answer: Answer) -> None:
        if len(answer.body or b"") > _LONGEST:
            return
        with self._turn:
            before = self._answers.pop(key, None)
            if before:
                self._size -= before.size
                if answer.body is None and before.etag == answer.etag:  # unchanged since
                    answer = replace(answer, body=before.body, headers=before.headers)
            self._answers[key] = answer
            self._size += answer.size
            while self._size > self._most:
                _key, oldest = self._answers.popitem(last=False)
                self._size -= oldest.size

    def clear(self) -> None:
        with self._turn:
            self._answers.clear()
            self._size = 0


store = Store()


def _state_now(ask: State) -> Hashable:
    """Return the current state, or None while the database is down: the page then reports that itself."""
    try:
        return ask()
    except Error:
        return None


def whole_database(*_args: Any, **_kwargs: Any) -> State:
    """Return the strictest condition, for any page: nothing at all was written to the database."""
    return database_state.name


def keep(view: View, hangs_on: Callable[..., State] = whole_database) -> View:
    """Return *view* with cacheable responses; *hangs_on* takes the view's arguments and returns its state function."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not getattr(request, "may_keep", False):
            return view(request, *args, **kwargs)
        ask = hangs_on(request, *args, **kwargs)
        request.kept_while = ask, _state_now(ask)  # type: ignore[attr-defined] # ours; before the page reads any data
        return view(request, *args, **kwargs)

    answer.hangs_on = hangs_on  # type: ignore[attr-defined] # ours: tests find these URLs by it
    return answer


def not_modified(request: HttpRequest, etag: str) -> HttpResponseBase | None:
    """Return 304 with its ETag (RFC 9110, 15.4.5) if the client already has *etag*, else None."""
    answer = get_conditional_response(request, etag=etag)
    if answer is not None:
        answer["ETag"] = etag
    return answer
