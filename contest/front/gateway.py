"""The ASGI application for uvicorn: receive a whole request, call the WSGI application in a thread, send its response.

Health checks are answered without a thread.
"""

import asyncio
import io
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any
from urllib.parse import unquote_to_bytes

from django.conf import settings

from contest.front import answers, doors
from contest.front.answers import Answer, Unread
from contest.front.bodies import Bodies, ClientGone, Receive, TooMuch, TooSlow
from contest.front.connections import GuardedConnection
from contest.front.doors import Kind
from contest.front.draining import delay_exit
from contest.front.listening import Listeners
from contest.front.memory import pass_over_what_is_loaded, share_one_heap
from contest.front.turns import PATIENCE_SECONDS, Full, Room, Turn
from contest.infra.client_ip import block_of, sender_in
from contest.infra.database.passing_trouble import will_pass

log = logging.getLogger(__name__)

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Environ = dict[str, Any]
Application = Callable[..., Iterable[bytes]]

_Together = Callable[[Sequence[tuple[Environ, Callable[..., Any]]]], list[Iterable[bytes] | None]]

_PIECE = 65_536
# Static files have their own threads, so that they never wait.
STATIC_THREADS = 2


class Gateway:
    """Adapter from ASGI to the WSGI application *name*, such as "contest.wsgi:application"."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _open(self) -> None:
        """Load the site before the server starts listening."""
        share_one_heap()
        module, _colon, attribute = self.name.partition(":")
        self._application: Application = getattr(import_module(module), attribute)
        # Optional attribute of the application: answer many requests in one call.
        self._together: _Together | None = getattr(self._application, "answer_together", None)
        answers.learn_words()
        self._bodies = Bodies()
        self._unread = Unread()
        self._listeners = Listeners(partial(self._turn, kind=Kind.PAGE, sender=""))
        self._room = Room(settings.WEB_THREADS, together=self._answer_together)
        self._static = Room(STATIC_THREADS, [Kind.STATIC])
        pass_over_what_is_loaded()
        self._room.open()
        self._static.open()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif GuardedConnection.lobby.is_closing and scope["path"] in (doors.HEALTH, doors.READY):
            await _send(send, answers.ending())
        elif scope["path"] == doors.HEALTH and scope["method"] in ("GET", "HEAD"):
            await _send(send, answers.healthy())
        else:
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "lifespan.shutdown":
            try:
                await asyncio.to_thread(self._open)
            except BaseException:
                log.exception("The site could not be loaded")
                await send({"type": "lifespan.startup.failed"})
                return
            delay_exit(settings.DRAIN_SECONDS)
            await send({"type": "lifespan.startup.complete"})
        await asyncio.to_thread(self._room.close)
        await asyncio.to_thread(self._static.close)
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        sender = block_of(sender_in(environ))
        path, languages = scope["path"], environ.get("HTTP_ACCEPT_LANGUAGE", "")
        kind = doors.kind_of(scope["method"], path)
        held = 0
        try:
            if kind is not Kind.STATIC and _has_body(environ):
                held = await self._take_in(environ, receive, doors.most_bytes(path), sender)
            if self._listeners.may_come(environ, sender):
                ask = partial(self._turn, kind=kind, sender=sender)
                answer = await self._listeners.answer(environ, receive, ask, sender)
            else:
                answer = await self._turn(environ, kind, sender)
        except ClientGone:
            return
        except TooSlow:
            answer = answers.too_slow(path, languages)
        except (TooMuch, Full):
            answer = answers.busy(path, languages)
        except Exception as error:
            # Running out of file descriptors (EMFILE) can fail anywhere, including in error reporting.
            if not will_pass(error):
                raise
            log.exception("A request could not be answered now")
            answer = answers.busy(path, languages)
        finally:
            self._bodies.let_go(sender, held)
        if not self._unread.take(sender, answer.size):
            answer.body.close()
            answer = answers.busy(path, languages)
            self._unread.take(sender, answer.size)
        try:
            await _send(send, answer)
        finally:
            self._unread.let_go(sender, answer.size)

    async def _take_in(self, environ: Environ, receive: Receive, most: int, sender: str) -> int:
        """Receive the body into `wsgi.input`, and return the number of bytes charged to *sender*."""
        announced = environ.get("CONTENT_LENGTH")
        body = await self._bodies.whole(receive, int(announced) if announced else None, most, sender)
        if body is None:  # Too large: the application refuses it by CONTENT_LENGTH, in its own format.
            environ["CONTENT_LENGTH"] = announced or str(most + 1)
            return 0
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        return len(body)

    async def _turn(self, environ: Environ, kind: Kind, sender: str) -> Answer:
        """Queue the request for a thread and wait for its response; raise Full if it was refused."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Answer] = loop.create_future()

        def settle(answer: Answer | None, error: BaseException | None = None) -> None:
            if done.done():
                return
            if answer is None:
                done.set_exception(error or Full())
            else:
                done.set_result(answer)

        def work() -> None:
            answer = Answer()
            try:
                answer.take(self._application(environ, answer.start))
            except BaseException as error:
                loop.call_soon_threadsafe(settle, None, error)
            else:
                loop.call_soon_threadsafe(settle, answer)

        def give_up() -> None:
            loop.call_soon_threadsafe(settle, None)

        sleeps = doors.sleeps(environ["PATH_INFO"], environ["QUERY_STRING"])
        turn = Turn(work, give_up, kind, sender, sleeps=sleeps)
        if self._together is None or not doors.gathers(environ["REQUEST_METHOD"], environ["PATH_INFO"], _size(environ)):
            room = self._static if kind is Kind.STATIC else self._room
            room.join(turn)
            return await done
        environ[doors.CAME] = turn.came
        turn.gathers, turn.size = _Request(environ, loop, settle), _size(environ)
        self._room.join(turn)
        impatience = loop.call_later(PATIENCE_SECONDS, self._room.look_again)
        try:
            return await done
        finally:
            impatience.cancel()

    def _answer_together(self, requests: Sequence["_Request"]) -> list[bool]:
        """Answer the *requests* that can be batched; return a flag for each, True if it was answered."""
        answers = [Answer() for _request in requests]
        calls = [(request.environ, answer.start) for request, answer in zip(requests, answers, strict=True)]
        parts = self._together(calls) if self._together else []
        done = []
        for request, answer, part in zip(requests, answers, parts, strict=True):
            if part is not None:
                answer.take(part)
                done.append((request.settle, answer))
        if done:
            requests[0].loop.call_soon_threadsafe(_settle_all, done)
        return [part is not None for part in parts]


@dataclass(frozen=True)
class _Request:
    """A request that may be batched with others."""

    environ: Environ
    loop: asyncio.AbstractEventLoop
    settle: Callable[[Answer], None]


def _settle_all(those: Sequence[tuple[Callable[[Answer], None], Answer]]) -> None:
    for settle, answer in those:
        settle(answer)


def _size(environ: Environ) -> int:
    return int(environ.get("CONTENT_LENGTH") or 0)


async def _send(send: Send, answer: Answer) -> None:
    """Send the response in pieces: a slow client occupies no thread and at most one piece of memory."""
    with answer.body as body:
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        piece = body.read(_PIECE)
        while True:
            following = body.read(_PIECE) if len(piece) == _PIECE else b""
            await send({"type": "http.response.body", "body": piece, "more_body": bool(following)})
            if not following:
                return
            piece = following


def _has_body(environ: Environ) -> bool:
    return environ.get("CONTENT_LENGTH", "0") != "0" or "HTTP_TRANSFER_ENCODING" in environ


def environ_of(scope: Scope) -> Environ:
    """Return the WSGI environ (PEP 3333) of the request, without its body."""
    host, port = scope["server"] or ("", 0)
    client = scope["client"] or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        # The raw bytes: the application handles invalid UTF-8.
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name:  # A client's X_Forwarded_For must not pass for a proxy's X-Forwarded-For.
            continue
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        name = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        value = raw_value.decode("latin-1")
        joint = "; " if name == "HTTP_COOKIE" else ","
        environ[name] = f"{environ[name]}{joint}{value}" if name in environ else value
    return environ
