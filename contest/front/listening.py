"""Long polls for events wait here without a thread; equal requests are sent to the application only once.

The application always answers immediately. If there is no new event, two internal headers state how long the client may
wait, and for events after which one. A single poller checks for newer events; only if there are any, each distinct
request is repeated, once for all clients that wait for it.
"""

import asyncio
import io
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from operator import itemgetter
from typing import Any

from contest.front.answers import Answer
from contest.front.bodies import ClientGone, Receive
from contest.front.connections import GuardedConnection, most_connections
from contest.front.shares import network_of
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
MOST_REQUESTS_PER_SENDER = 8
# The same for all senders of a network. Browsers that are up to date send equal requests, which count once.
MOST_REQUESTS_PER_NETWORK = 32

_POLL_SECONDS = 0.5
# A listener asks itself if the first sender of an equal request has had no answer for so long.
_PATIENCE_SECONDS = 1.0
# The parts of a request on which its response depends.
_KEY_FIELDS = (
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
_SENDER_FIELDS = ("HTTP_X_FORWARDED_FOR",)
_INTERNAL_HEADERS = {name.lower().encode() for name in (SECONDS, NEWEST)} | {b"set-cookie"}


@dataclass(frozen=True)
class SharedAnswer:
    """A response shared by many clients. *seconds* is the time to wait for events, 0 if the response is final."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    seconds: float
    newest: int

    @classmethod
    def from_answer(cls, answer: Answer) -> "SharedAnswer":
        headers_by_name = dict(answer.headers)
        seconds, newest = (float(headers_by_name.get(name.encode("latin-1"), 0)) for name in (SECONDS, NEWEST))
        headers = [(name, value) for name, value in answer.headers if name.lower() not in _INTERNAL_HEADERS]
        with answer.body as body:
            return cls(answer.status, headers, body.read(), seconds, int(newest))

    def to_answer(self) -> Answer:
        return Answer(self.status, self.headers, io.BytesIO(self.body), len(self.body))


@dataclass
class SharedRequest:
    """A request shared by several listeners; *sender* was the first."""

    key: Hashable
    sender: str
    environ: Environ
    last: asyncio.Future[SharedAnswer]
    waiting: set[asyncio.Future[SharedAnswer | None]] = field(default_factory=set)
    listeners: int = 0

    def resolve(self, answer: SharedAnswer) -> None:
        for future in self.waiting:
            if not future.done():
                future.set_result(answer)


class Listeners:
    """All listeners of one process; *ask* sends a shared request to the application."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._requests: dict[Hashable, SharedRequest] = {}
        self._newest: int | None = None
        self._poller: asyncio.Task[None] | None = None
        self._count = 0

    def can_wait(self, environ: Environ, sender: str = "") -> bool:
        """Return True if the request can wait here. Listeners get at most half of all connections."""
        if environ["PATH_INFO"] != EVENTS or environ["REQUEST_METHOD"] != "GET" or "HTTP_IF_NONE_MATCH" in environ:
            return False
        waits = "event-stream" in environ.get("HTTP_ACCEPT", "") or "wait=" in environ["QUERY_STRING"]
        return waits and self._count < most_connections() // 2 and self._has_room_for(environ, sender)

    def _has_room_for(self, environ: Environ, sender: str) -> bool:
        """Return True if an equal request is waiting already, or *sender* may add a distinct one."""
        if _key_of(environ) in self._requests:
            return True
        senders = Counter(shared_request.sender for shared_request in self._requests.values())
        of_network = sum(count for other, count in senders.items() if network_of(other) == network_of(sender))
        return senders[sender] < MOST_REQUESTS_PER_SENDER and of_network < MOST_REQUESTS_PER_NETWORK

    async def answer(self, environ: Environ, receive: Receive, ask: Ask, sender: str = "") -> Answer:
        """Wait for events or the timeout. *ask* sends the first of equal requests, and its errors propagate.

        Raise ClientGone if the listener has disconnected.
        """
        key = _key_of(environ)
        is_first = key not in self._requests
        if is_first:
            shared_environ = _shared_environ_of(environ)
            self._requests[key] = SharedRequest(
                key, sender, shared_environ, asyncio.ensure_future(_ask_application(ask, shared_environ))
            )
        shared_request = self._requests[key]
        shared_request.listeners += 1
        self._count += 1
        try:
            try:
                async with asyncio.timeout(None if is_first else _PATIENCE_SECONDS):
                    answer = await asyncio.shield(shared_request.last)
                if answer.status != HTTPStatus.OK and not is_first:
                    raise Full
            except (Full, TimeoutError):
                if is_first:
                    raise
                self._forget(shared_request)  # The first sender's region may be full, or its address past a limit.
                return await self.answer(environ, receive, ask, sender)
            if answer.seconds:
                self._lower_newest(answer.newest)
                self._poller = self._poller or asyncio.ensure_future(self._poll())
                answer = await _wait_for_events(shared_request, answer, receive)
        finally:
            self._count -= 1
            shared_request.listeners -= 1
            if not shared_request.listeners:
                self._forget(shared_request)
        return answer.to_answer()

    async def _poll(self) -> None:
        """Poll for new events while there are listeners, and repeat their requests after each one."""
        while self._requests:
            await asyncio.sleep(_POLL_SECONDS)
            try:
                if GuardedConnection.lobby.is_closing:
                    await self._answer_all()
                elif self._newest is None or await self._has_new_event(self._newest):
                    for shared_request in _in_turns(self._requests.values()):
                        await self._repeat_request(shared_request)
            except Exception as error:  # The next poll repeats the requests.
                self._newest = None
                if not isinstance(error, Full):
                    log.exception("Listeners could not be answered now")
        self._poller = self._newest = None

    async def _has_new_event(self, newest: int) -> bool:
        waiting = next((shared_request for shared_request in self._requests.values() if shared_request.waiting), None)
        if waiting is None:
            return False
        # One event is enough to know: many would be read in vain, and count against the address of this listener.
        plain = {"HTTP_ACCEPT": "", "QUERY_STRING": f"after={newest}&limit=1&wait=1"}
        personal = ("HTTP_AUTHORIZATION", "HTTP_LAST_EVENT_ID")
        answer = await _ask_application(
            self._ask, {k: v for k, v in waiting.environ.items() if k not in personal} | plain
        )
        has_happened = answer.status == HTTPStatus.OK and not answer.seconds
        if has_happened:
            self._newest = answer.newest
        return has_happened

    async def _repeat_request(self, shared_request: SharedRequest) -> None:
        if not shared_request.waiting:
            return
        answer = await _ask_application(self._ask, shared_request.environ)
        if answer.seconds:
            self._lower_newest(answer.newest)
            shared_request.last = asyncio.get_running_loop().create_future()
            shared_request.last.set_result(answer)
        elif answer.status == HTTPStatus.OK:
            self._forget(shared_request)
            shared_request.resolve(answer)

    async def _answer_all(self) -> None:
        """Answer all listeners with their last response, without events: the server is shutting down."""
        for shared_request in list(self._requests.values()):
            shared_request.resolve(await shared_request.last)

    def _lower_newest(self, newest: int) -> None:
        self._newest = newest if self._newest is None else min(self._newest, newest)

    def _forget(self, shared_request: SharedRequest) -> None:
        if self._requests.get(shared_request.key) is shared_request:
            del self._requests[shared_request.key]


def _in_turns(requests: Iterable[SharedRequest]) -> list[SharedRequest]:
    """Return *requests* in turns of their networks, in each those with most listeners first."""
    ranks: Counter[str] = Counter()
    ranked = []
    for shared_request in sorted(requests, key=lambda request: -request.listeners):
        network = network_of(shared_request.sender)
        ranked.append((ranks[network], shared_request))
        ranks[network] += 1
    return [shared_request for _rank, shared_request in sorted(ranked, key=itemgetter(0))]


async def _wait_for_events(shared_request: SharedRequest, no_events: SharedAnswer, receive: Receive) -> SharedAnswer:
    """Return the response that arrives within `no_events.seconds`, else *no_events*; raise ClientGone on disconnect."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[SharedAnswer | None] = loop.create_future()

    def settle(answer: SharedAnswer | None) -> None:
        if not future.done():
            future.set_result(answer)

    timer = loop.call_later(no_events.seconds, settle, no_events)
    disconnect = asyncio.ensure_future(_wait_for_disconnect(receive))
    disconnect.add_done_callback(lambda _task: settle(None))
    shared_request.waiting.add(future)
    try:
        answer = await future
    finally:
        shared_request.waiting.discard(future)
        timer.cancel()
        disconnect.cancel()
    if answer is None:
        raise ClientGone
    return answer


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _ask_application(ask: Ask, environ: Environ) -> SharedAnswer:
    return SharedAnswer.from_answer(await ask(dict(environ, **{"wsgi.input": io.BytesIO(), WAITS_HERE: True})))


def _key_of(environ: Environ) -> Hashable:
    return tuple(environ.get(name) for name in _KEY_FIELDS)


def _shared_environ_of(environ: Environ) -> Environ:
    """Return the request with only those headers that are in _KEY_FIELDS or _SENDER_FIELDS."""
    names = {*_KEY_FIELDS, *_SENDER_FIELDS}
    return {name: value for name, value in environ.items() if not name.startswith("HTTP_") or name in names}
