"""Answers that are sent again as they are, to readers of whom nothing is known, while nothing can have changed.

An address opts in where it is named (`keep(view)` in a list of addresses). Its answer is kept in this process with what
it hangs on: by default all that the database holds (`database.state`), so that nothing need be known of the page; or
the versions that its ETag is made of. Whoever asks again gets it, or 304, for one question to the database.
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
# What an entry takes beside its body.
_BESIDE = 4_096


@dataclass(frozen=True)
class Answer:
    """What was answered; `body` is None where only its ETag is known. It holds while `ask` says `state`, and until."""

    ask: State
    state: Hashable
    since: datetime
    until: datetime
    headers: dict[str, str]
    body: bytes | None
    match: Any  # which address it was, for the log

    @property
    def etag(self) -> str:
        return self.headers.get("ETag", "")

    @property
    def size(self) -> int:
        """Bytes that it may take as long as it is kept: what is made of it later counts from the beginning."""
        return len(self.body or b"") + _BESIDE

    def holds(self, at: datetime) -> bool:
        """Whether it may be sent again at *at*; asks the database."""
        return self.since <= at < self.until and _state_now(self.ask) == self.state


class Store:
    """Answers by what was asked; who was not asked for longest goes where there is no room."""

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
                if answer.body is None and before.etag == answer.etag:  # the same as before, still
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
    """None while the database is away: the page says so in its own words."""
    try:
        return ask()
    except Error:
        return None


def whole_database(*_args: Any, **_kwargs: Any) -> State:
    """The strictest condition, for a page of which nothing else is known: nothing at all was written since."""
    return database_state.name


def keep(view: View, hangs_on: Callable[..., State] = whole_database) -> View:
    """*view*, whose answers may be kept; *hangs_on* takes what the view takes."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not getattr(request, "may_keep", False):
            return view(request, *args, **kwargs)
        ask = hangs_on(request, *args, **kwargs)
        request.kept_while = ask, _state_now(ask)  # type: ignore[attr-defined] # ours; before anything of the page is read
        return view(request, *args, **kwargs)

    answer.hangs_on = hangs_on  # type: ignore[attr-defined] # ours: by it tests find these addresses
    return answer


def not_modified(request: HttpRequest, etag: str) -> HttpResponseBase | None:
    """304, which says of what (RFC 9110, 15.4.5), for whoever has what has this *etag*; None for everybody else."""
    answer = get_conditional_response(request, etag=etag)
    if answer is not None:
        answer["ETag"] = etag
    return answer
