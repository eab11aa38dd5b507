"""The ASGI application for uvicorn: receive a whole request, call the WSGI application in a thread, send its response.

Health checks are answered without a thread.
"""

import asyncio
import io
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

from django.conf import settings

from contest.front import answers, doors
from contest.front.answers import Answer, Unread
from contest.front.bodies import Bodies, ClientGone, Receive, TooMuch, TooSlow
from contest.front.connections import GuardedConnection
from contest.front.doors import Kind
from contest.front.draining import delay_exit
from contest.front.listening import Listeners
from contest.front.memory import freeze_loaded_objects, limit_heap_arenas
from contest.front.slots import switch_threads_often
from contest.front.turns import PATIENCE_SECONDS, Full, ThreadPool, Turn
from contest.infra import clock
from contest.infra.client_ip import block_of, sender_in
from contest.infra.database.passing_trouble import is_temporary

log = logging.getLogger(__name__)

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Environ = dict[str, Any]
Application = Callable[..., Iterable[bytes] | None]

_BatchHandler = Callable[[Sequence[tuple[Environ, Callable[..., Any]]]], list[Iterable[bytes] | None]]

_PIECE = 65_536
# Static files have their own threads, so that they never wait.
STATIC_THREADS = 2


class _Cache(Protocol):
    """Cached responses of the application."""

    def may_answer(self, environ: Environ) -> bool:
        """Return True if there is a cached response, which may be outdated. Asked in the event loop."""
        ...

    def answer(self, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes] | None:
        """Return the body of the cached response, or None if it is outdated."""
        ...


class Gateway:
    """Adapter from ASGI to the WSGI application *name*, such as "contest.wsgi:application"."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _load_site(self) -> None:
        """Load the site before the server starts listening."""
        limit_heap_arenas()
        switch_threads_often()
        module, _colon, attribute = self.name.partition(":")
        self._application: Application = getattr(import_module(module), attribute)
        # Optional attributes of the application: answer many requests in one call, and answer from its cache.
        self._batch_handler: _BatchHandler | None = getattr(self._application, "answer_batch", None)
        self._cache: _Cache | None = getattr(self._application, "cache", None)
        answers.cache_error_answers()
        self._bodies = Bodies()
        self._unread = Unread()
        self._refusals = answers.Refusals()
        self._listeners = Listeners(partial(self._run_in_thread, kind=Kind.PAGE, sender=""))
        self._pool = ThreadPool(settings.WEB_THREADS, answer_batch=self._answer_batch)
        self._static_pool = ThreadPool(STATIC_THREADS, [Kind.STATIC])
        freeze_loaded_objects()
        self._pool.open()
        self._static_pool.open()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
        elif GuardedConnection.lobby.is_closing and scope["path"] in (doors.HEALTH, doors.READY):
            await _send(send, answers.report_draining())
        elif scope["path"] == doors.HEALTH and scope["method"] in ("GET", "HEAD"):
            await _send(send, answers.report_health())
        else:
            await self._answer(scope, receive, send)

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "lifespan.shutdown":
            try:
                await asyncio.to_thread(self._load_site)
            except BaseException:
                log.exception("The site could not be loaded")
                await send({"type": "lifespan.startup.failed"})
                return
            delay_exit(settings.DRAIN_SECONDS)
            await send({"type": "lifespan.startup.complete"})
        await asyncio.to_thread(self._pool.close)
        await asyncio.to_thread(self._static_pool.close)
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        sender = block_of(sender_in(environ))
        path, languages = scope["path"], environ.get("HTTP_ACCEPT_LANGUAGE", "")
        kind = doors.kind_of(scope["method"], path)
        held_bytes = 0
        try:
            if kind is not Kind.STATIC and _has_body(environ):
                held_bytes = await self._receive_body(environ, receive, doors.most_bytes(path), sender)
            if self._listeners.can_wait(environ, sender):
                ask = partial(self._run_in_thread, kind=kind, sender=sender)
                answer = await self._listeners.answer(environ, receive, ask, sender)
            else:
                cached = await self._answer_from_cache(environ, kind, sender)
                answer = cached or await self._run_in_thread(environ, kind, sender)
        except ClientGone:
            return
        except TooSlow:
            answer = answers.refuse_slow(path, languages)
        except (TooMuch, Full):
            answer = answers.refuse_overload(path, languages)
        except Exception as error:
            # Running out of file descriptors (EMFILE) can fail anywhere, including in error reporting.
            if not is_temporary(error):
                raise
            log.exception("A request could not be answered now")
            answer = answers.refuse_overload(path, languages)
        finally:
            self._bodies.release(sender, held_bytes)
        if answer.status in answers.PACED:
            await asyncio.sleep(self._refusals.reserve(time.monotonic()))
        if not self._unread.charge(sender, answer.size):
            answer.body.close()
            answer = answers.refuse_overload(path, languages)
            self._unread.charge(sender, answer.size)
        try:
            await _send(send, answer)
        finally:
            self._unread.release(sender, answer.size)

    async def _receive_body(self, environ: Environ, receive: Receive, most: int, sender: str) -> int:
        """Receive the body into `wsgi.input`, and return the number of bytes charged to *sender*."""
        announced = environ.get("CONTENT_LENGTH")
        body = await self._bodies.receive_whole(receive, int(announced) if announced else None, most, sender)
        if body is None:  # Too large: the application refuses it by CONTENT_LENGTH, in its own format.
            environ["CONTENT_LENGTH"] = announced or str(most + 1)
            return 0
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        return len(body)

    async def _answer_from_cache(self, environ: Environ, kind: Kind, sender: str) -> Answer | None:
        """Return the cached response to a page, without waiting behind pages that must be rendered."""
        if self._cache is None or kind is not Kind.PAGE or not self._cache.may_answer(environ):
            return None
        answer = await self._run_in_thread(environ, Kind.STATIC, sender, self._cache.answer)
        return answer if answer.status else None

    async def _run_in_thread(
        self, environ: Environ, kind: Kind, sender: str, application: Application | None = None
    ) -> Answer:
        """Queue the request for a thread and wait for its response; raise Full if it was refused.

        The response has status 0 if *application* returned None.
        """
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
            clock.note_arrival(turn.arrived_at)
            try:
                parts = (application or self._application)(environ, answer.start)
                if parts is None:
                    answer.status = 0
                else:
                    answer.take(parts)
            except BaseException as error:
                loop.call_soon_threadsafe(settle, None, error)
            else:
                loop.call_soon_threadsafe(settle, answer)

        def give_up() -> None:
            loop.call_soon_threadsafe(settle, None)

        turn = Turn(work, give_up, kind, sender, doors.shape_of(environ["PATH_INFO"]))
        if self._batch_handler is None or not doors.can_be_batched(
            environ["REQUEST_METHOD"], environ["PATH_INFO"], _size(environ)
        ):
            pool = self._static_pool if kind is Kind.STATIC else self._pool
            pool.join(turn)
            return await done
        environ[doors.ARRIVED_AT] = turn.arrived_at
        turn.batch_payload, turn.size = _Request(environ, loop, settle), _size(environ)
        self._pool.join(turn)
        patience_timer = loop.call_later(PATIENCE_SECONDS, self._pool.wake_thread)
        try:
            return await done
        finally:
            patience_timer.cancel()

    def _answer_batch(self, requests: Sequence["_Request"]) -> list[bool]:
        """Answer the *requests* that can be batched; return a flag for each, True if it was answered."""
        answers = [Answer() for _request in requests]
        calls = [(request.environ, answer.start) for request, answer in zip(requests, answers, strict=True)]
        parts = self._batch_handler(calls) if self._batch_handler else []
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


def _settle_all(done: Sequence[tuple[Callable[[Answer], None], Answer]]) -> None:
    for settle, answer in done:
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
