"""Who listens for what happens next waits here and takes no thread; what many ask alike is asked once for them all.

The application answers a listener at once. Where nothing has happened yet it says so in two headers, which go no
further: how long this one may wait, and after which event. One look at a time asks whether something came after that
one; only then is each question asked again, once for all who wait for its answer.
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
# What the application finds among a request's META where somebody waits in its place.
WAITS_HERE = "leitai.waits_here"
# What it says where nothing has happened: the seconds for which that may be waited for, and the newest event of all.
SECONDS, NEWEST = "Leitai-Seconds", "Leitai-Newest"
# A proxy hangs up on who says nothing for a minute.
LONGEST_SECONDS = 25

# Each is asked again by itself whenever something has happened: so many that one sender alone asks wait here.
MOST_QUESTIONS = 8

_LOOK_SECONDS = 0.5
# All that an answer depends on.
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
    """An answer for many: it is read once, and *seconds* is 0 where there is nothing to wait for."""

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
    """What some listeners asked alike; *sender* asked it first."""

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
    """All who listen to one process; *ask* is how is asked for them all."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._questions: dict[Hashable, Question] = {}
        self._newest: int | None = None
        self._looker: asyncio.Task[None] | None = None
        self._count = 0

    def may_come(self, environ: Environ, sender: str = "") -> bool:
        """Whether who asks this can wait here: half of all connections may, the others are left to those who read."""
        if environ["PATH_INFO"] != EVENTS or environ["REQUEST_METHOD"] != "GET" or "HTTP_IF_NONE_MATCH" in environ:
            return False
        waits = "event-stream" in environ.get("HTTP_ACCEPT", "") or "wait=" in environ["QUERY_STRING"]
        return waits and self._count < most_connections() // 2 and self._has_room_for(environ, sender)

    def _has_room_for(self, environ: Environ, sender: str) -> bool:
        """Whether somebody asks the same already, or *sender* may ask one more thing."""
        mine = sum(one.sender == sender for one in self._questions.values())
        return mine < MOST_QUESTIONS or _key_of(environ) in self._questions

    async def answer(self, environ: Environ, receive: Receive, ask: Ask, sender: str = "") -> Answer:
        """Wait until there is something to say. The first question of its kind is asked by *ask*, with its errors.

        Raise ClientGone where the listener has hung up.
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
        """Ask again for those who wait whenever something has happened, as long as anybody does."""
        while self._questions:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                if GuardedConnection.lobby.is_closing:
                    await self._send_home()
                elif self._newest is None or await self._has_happened(self._newest):
                    for question in list(self._questions.values()):
                        await self._ask_again(question)
            except Exception as error:  # they are told the same, later
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
        """The server ends: who still waits is told that nothing has happened."""
        for question in list(self._questions.values()):
            question.tell(await question.last)

    def _look_behind(self, newest: int) -> None:
        self._newest = newest if self._newest is None else min(self._newest, newest)

    def _forget(self, question: Question) -> None:
        if self._questions.get(question.key) is question:
            del self._questions[question.key]


async def _told_in_time(question: Question, nothing: SharedAnswer, receive: Receive) -> SharedAnswer:
    """What comes within the seconds that *nothing* names, or *nothing*."""
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
    """The request without what stands in it of its sender alone."""
    names = {*_ASKED, *_OF_THE_SENDER}
    return {name: value for name, value in environ.items() if not name.startswith("HTTP_") or name in names}
