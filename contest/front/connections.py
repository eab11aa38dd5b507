"""Timeouts of connections, and limits on their number per address (a subclass of uvicorn's protocol).

A client must send its first byte, then the whole request head, in time, and must read the response. Start times are
stored in dictionaries, which keep insertion order: a periodic check of their first entries finds all expired
connections and costs nothing for the others.
"""

import asyncio
import resource
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr

from contest.infra.client_ip import block_of, is_proxy

SILENT_SECONDS = 5.0  # to the first byte
HEAD_SECONDS = 10.0  # from the first byte of a request to the end of its head
IDLE_SECONDS = 20.0  # from a response to the next request; our own proxies have no such limit
FLUSHING_SECONDS = 60.0  # for the client to read enough of a response that more can be sent, or its end
MOST_HEAD_BYTES = 65_536
# A header field of a few bytes takes some hundred bytes in memory. Trailers count, too.
MOST_FIELDS = 200
# A body may come in so many chunks of less than so many bytes each; a chunk of one byte costs as much as a long one.
MOST_SMALL_CHUNKS, SMALL_CHUNK = 1_000, 64
# Pipelined requests before the first response.
MOST_AHEAD = 32
OWN_FILES = 500
# Drop expired connections in small batches: dropping thousands at once would delay other requests.
_CHECK_SECONDS = 0.1
_MOST_DROPS_AT_ONCE = 200


class TooManyParts(Exception):
    """Too many or too long header fields, tiny chunks, or pipelined requests; the parser turns it into a 400."""


@cache
def most_connections() -> int:
    """Return the limit of connections of this process: one file each, with some files reserved for other use."""
    files, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(files - OWN_FILES, files // 2)


class Lobby:
    """All connections of one process, grouped by the state that they wait in."""

    def __init__(self) -> None:
        self.all: set[GuardedConnection] = set()
        self.count_by_block: Counter[str] = Counter()
        self.silent: dict[GuardedConnection, float] = {}
        self.heads: dict[GuardedConnection, float] = {}
        self.idle: dict[GuardedConnection, float] = {}
        self.flushing: dict[GuardedConnection, float] = {}
        self.is_closing = False
        self._timer: asyncio.TimerHandle | None = None

    def enter(self, connection: "GuardedConnection") -> bool:
        """Register *connection*; return False if refused. If none is free, drop the longest idle or slow one."""
        if connection.block and self.count_by_block[connection.block] >= settings.CONNECTIONS_PER_ADDRESS:
            return False
        if len(self.all) >= most_connections() and not self._make_room():
            return False
        self.all.add(connection)
        self.count_by_block[connection.block] += 1
        self.silent[connection] = connection.loop.time()
        if self._timer is None:
            self._timer = connection.loop.call_later(_CHECK_SECONDS, self._drop_expired, connection.loop)
        return True

    def leave(self, connection: "GuardedConnection") -> None:
        if connection not in self.all:
            return
        self.all.discard(connection)
        self.count_by_block[connection.block] -= 1
        if not self.count_by_block[connection.block]:
            del self.count_by_block[connection.block]
        for waiting in (self.silent, self.heads, self.idle, self.flushing):
            waiting.pop(connection, None)

    def _make_room(self) -> bool:
        for waiting in (self.idle, self.silent, self.heads, self.flushing):
            for connection in waiting:
                connection.drop()
                return True
        return False

    def _drop_expired(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        expired = [*_find_expired(self.silent, now - SILENT_SECONDS), *_find_expired(self.heads, now - HEAD_SECONDS)]
        expired += [
            *_find_expired(self.idle, now - IDLE_SECONDS),
            *_find_expired(self.flushing, now - FLUSHING_SECONDS),
        ]
        for connection in expired:
            connection.drop()
        self._timer = loop.call_later(_CHECK_SECONDS, self._drop_expired, loop) if self.all else None


def _find_expired(waiting: dict["GuardedConnection", float], since: float) -> Iterator["GuardedConnection"]:
    """Yield some of the connections that have waited since before *since*, longest first."""
    return (connection for connection, began in islice(waiting.items(), _MOST_DROPS_AT_ONCE) if began < since)


class GuardedConnection(HttpToolsProtocol):
    """A connection with timeouts and limits."""

    lobby = Lobby()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # uvicorn's signature
        self.transport = transport
        peer = get_remote_addr(transport)
        address = peer[0] if peer else ""
        self.is_proxy = is_proxy(address)
        self.block = "" if self.is_proxy else block_of(address)
        self._head_bytes = 0
        self._cycles: list[RequestResponseCycle] = []
        self.is_admitted = self.lobby.enter(self)
        if self.is_admitted:
            super().connection_made(transport)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.is_admitted:
            self.lobby.leave(self)
            super().connection_lost(exc)
            self._end_cycles()

    def drop(self) -> None:
        """Abort the connection and free its place immediately."""
        self.lobby.leave(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if not self.is_admitted:
            return
        super().data_received(data)
        if self in self.lobby.heads:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES:
                self.send_400_response("Too long a head.")

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(msg)
        self._end_cycles()

    def _end_cycles(self) -> None:
        """Drop the responses to all requests of a closed connection; uvicorn drops only that of the newest one."""
        for cycle in self._cycles:
            cycle.disconnected = True
            cycle.message_event.set()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.lobby.silent.pop(self, None)
        self.lobby.idle.pop(self, None)
        self.lobby.flushing.pop(self, None)
        self.lobby.heads[self] = self.loop.time()
        self._head_bytes = self._fields = self._bytes_in_fields = self._chunks = self._body_bytes = 0

    def on_url(self, url: bytes) -> None:
        self._count_part(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Ignore trailers (fields after the body): trusted proxies do not check an X-Forwarded-For in them."""
        self._fields += 1
        self._count_part(len(name) + len(value))
        if self in self.lobby.heads:
            super().on_header(name, value)

    def _count_part(self, size: int) -> None:
        """Bound a head that arrives in one piece: it is complete before `data_received` counts it."""
        self._bytes_in_fields += size
        if self._fields > MOST_FIELDS or self._bytes_in_fields > MOST_HEAD_BYTES:
            raise TooManyParts

    def on_headers_complete(self) -> None:
        self.lobby.heads.pop(self, None)
        if len(self.pipeline) >= MOST_AHEAD:
            raise TooManyParts
        super().on_headers_complete()
        self._cycles = [cycle for cycle in self._cycles if not cycle.response_complete] + [self.cycle]
        if self.lobby.is_closing:
            self.cycle.keep_alive = False

    def on_chunk_header(self) -> None:
        """Bound the chunks of a few bytes: each costs as much as a long one."""
        self._chunks += 1
        if self._chunks > MOST_SMALL_CHUNKS and self._body_bytes < SMALL_CHUNK * self._chunks:
            raise TooManyParts

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self not in self.lobby.all:
            return
        if self.pipeline:
            self.flow.pause_reading()  # Apply backpressure to clients that pipeline faster than we respond.
        if self.transport.is_closing() or self.transport.get_write_buffer_size():
            self.lobby.flushing[self] = self.loop.time()
        elif self.cycle.response_complete and not self.is_proxy:
            self.lobby.idle[self] = self.loop.time()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.lobby.flushing[self] = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.transport.is_closing() or self not in self.lobby.flushing:
            return
        del self.lobby.flushing[self]
        if self.cycle.response_complete and not self.is_proxy:
            self.lobby.idle[self] = self.loop.time()

    def shutdown(self) -> None:
        """Finish the current requests and accept no further ones."""
        self.lobby.is_closing = True
        super().shutdown()

    def timeout_keep_alive_handler(self) -> None:
        """Do nothing: the lobby handles timeouts."""
