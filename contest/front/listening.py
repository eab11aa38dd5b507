"""Long polls for events wait here without a thread; equal requests are sent to the application only once.

The application always answers immediately. If there is no new event, two internal headers state how long the client may
wait, and for events after which one. A single poller checks for newer events; only if there are any, each distinct
request is repeated, once for all clients that wait for it.
"""

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from contest.front.answers import Answer
from contest.front.bodies import ClientGone, Receive
from contest.front.connections import GuardedConnection, most_connections
from contest.front.turns import Full

log = logging.getLogger(__name__)

Environ = dict[str, Any]
Ask = Callable[[Environ], Awaitable[Answer]]

EVENTS = "/api/v1/events/"
# Environ key that tells the application not to wait itself, because this module does.
WAITS_HERE = "leitai.waits_here"
# Internal response headers if there is no new event: the seconds to wait, and the newest event of all.
SECONDS, NEWEST = "Leitai-Seconds", "Leitai-Newest"
# Well below a minute: proxies close connections that are silent for so long.
LONGEST_SECONDS = 25

# Most distinct requests waiting per sender: each one is repeated separately after every new event.
MOST_QUESTIONS = 8

_LOOK_SECONDS = 0.5
# The parts of a request on which its response depends.
_ASKED = (
    "QUERY_STRING",
    "wsgi.url_scheme",
    "HTTP_HOST",
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_ENCODING",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_AUTHORIZATION",
    "HTTP_LAST_EVENT_ID",
    "HTTP_ORIGIN",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
)
_OF_THE_SENDER = ("HTTP_X_FORWARDED_FOR",)
_KEPT_BACK = {name.lower().encode() for name in (SECONDS, NEWEST)} | {b"set-cookie"}


@dataclass(frozen=True)
class SharedAnswer:
    """A response shared by many clients. *seconds* is the time to wait for events, 0 if the response is final."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    seconds: float
    newest: int

    @classmethod
    def by(cls, answer: Answer) -> "SharedAnswer":
        said = dict(answer.headers)
        seconds, newest = (float(said.get(name.encode("latin-1"), 0)) for name in (SECONDS, NEWEST))
        headers = [(name, value) for name, value in answer.headers if name.lower() not in _KEPT_BACK]
        with answer.body as body:
            return cls(answer.status, headers, body.read(), seconds, int(newest))

    def again(self) -> Answer:
        return Answer(self.status, self.headers, io.BytesIO(self.body))


@dataclass
class Question:
    """A request shared by several listeners; *sender* was the first."""

    key: Hashable
    sender: str
    environ: Environ
    last: asyncio.Future[SharedAnswer]
    waiting: set[asyncio.Future[SharedAnswer | None]] = field(default_factory=set)
    asking: int = 0

    def tell(self, told: SharedAnswer) -> None:
        for one in self.waiting:
            if not one.done():
                one.set_result(told)


class Listeners:
    """All listeners of one process; *ask* sends a shared request to the application."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._questions: dict[Hashable, Question] = {}
        self._newest: int | None = None
        self._looker: asyncio.Task[None] | None = None
        self._count = 0

    def may_come(self, environ: Environ, sender: str = "") -> bool:
        """Return True if the request can wait here. Listeners get at most half of all connections."""
        if environ["PATH_INFO"] != EVENTS or environ["REQUEST_METHOD"] != "GET" or "HTTP_IF_NONE_MATCH" in environ:
            return False
        waits = "event-stream" in environ.get("HTTP_ACCEPT", "") or "wait=" in environ["QUERY_STRING"]
        return waits and self._count < most_connections() // 2 and self._has_room_for(environ, sender)

    def _has_room_for(self, environ: Environ, sender: str) -> bool:
        """Return True if an equal request is waiting already, or *sender* may add a distinct one."""
        mine = sum(one.sender == sender for one in self._questions.values())
        return mine < MOST_QUESTIONS or _key_of(environ) in self._questions

    async def answer(self, environ: Environ, receive: Receive, ask: Ask, sender: str = "") -> Answer:
        """Wait for events or the timeout. *ask* sends the first of equal requests, and its errors propagate.

        Raise ClientGone if the listener has disconnected.
        """
        key = _key_of(environ)
        if key not in self._questions:
            alike = _for_all(environ)
            self._questions[key] = Question(key, sender, alike, asyncio.ensure_future(_ask_once(ask, alike)))
        question = self._questions[key]
        question.asking += 1
        self._count += 1
        try:
            told = await asyncio.shield(question.last)
            if told.seconds:
                self._look_behind(told.newest)
                self._looker = self._looker or asyncio.ensure_future(self._look())
                told = await _told_in_time(question, told, receive)
        finally:
            self._count -= 1
            question.asking -= 1
            if not question.asking:
                self._forget(question)
        return told.again()

    async def _look(self) -> None:
        """Poll for new events while there are listeners, and repeat their requests after each one."""
        while self._questions:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                if GuardedConnection.lobby.is_closing:
                    await self._send_home()
                elif self._newest is None or await self._has_happened(self._newest):
                    for question in list(self._questions.values()):
                        await self._ask_again(question)
            except Exception as error:  # The next poll repeats the requests.
                self._newest = None
                if not isinstance(error, Full):
                    log.exception("Listeners could not be told now")
        self._looker = self._newest = None

    async def _has_happened(self, newest: int) -> bool:
        waiting = next((one for one in self._questions.values() if one.waiting), None)
        if waiting is None:
            return False
        plain = {"HTTP_ACCEPT": "", "QUERY_STRING": f"after={newest}&wait=1"}
        personal = ("HTTP_AUTHORIZATION", "HTTP_LAST_EVENT_ID")
        told = await _ask_once(self._ask, {k: v for k, v in waiting.environ.items() if k not in personal} | plain)
        has_happened = told.status == HTTPStatus.OK and not told.seconds
        if has_happened:
            self._newest = told.newest
        return has_happened

    async def _ask_again(self, question: Question) -> None:
        if not question.waiting:
            return
        told = await _ask_once(self._ask, question.environ)
        if told.seconds:
            self._look_behind(told.newest)
            question.last = asyncio.get_running_loop().create_future()
            question.last.set_result(told)
        elif told.status == HTTPStatus.OK:
            self._forget(question)
            question.tell(told)

    async def _send_home(self) -> None:
        """Answer all listeners with their last response, without events: the server is shutting down."""
        for question in list(self._questions.values()):
            question.tell(await question.last)

    def _look_behind(self, newest: int) -> None:
        self._newest = newest if self._newest is None else min(self._newest, newest)

    def _forget(self, question: Question) -> None:
        if self._questions.get(question.key) is question:
            del self._questions[question.key]


async def _told_in_time(question: Question, nothing: SharedAnswer, receive: Receive) -> SharedAnswer:
    """Return the response that arrives within `nothing.seconds`, else *nothing*; raise ClientGone on disconnect."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[SharedAnswer | None] = loop.create_future()

    def settle(what: SharedAnswer | None) -> None:
        if not told.done():
            told.set_result(what)

    timer = loop.call_later(nothing.seconds, settle, nothing)
    gone = asyncio.ensure_future(_hung_up(receive))
    gone.add_done_callback(lambda _task: settle(None))
    question.waiting.add(told)
    try:
        found = await told
    finally:
        question.waiting.discard(told)
        timer.cancel()
        gone.cancel()
    if found is None:
        raise ClientGone
    return found


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _ask_once(ask: Ask, environ: Environ) -> SharedAnswer:
    return SharedAnswer.by(await ask(dict(environ, **{"wsgi.input": io.BytesIO(), WAITS_HERE: True})))


def _key_of(environ: Environ) -> Hashable:
    return tuple(environ.get(name) for name in _ASKED)


def _for_all(environ: Environ) -> Environ:
    """Return the request with only those headers that are in _ASKED or _OF_THE_SENDER."""
    names = {*_ASKED, *_OF_THE_SENDER}
    return {name: value for name, value in environ.items() if not name.startswith("HTTP_") or name in names}
