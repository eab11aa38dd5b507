"""A light HTTP client for concurrent requests or a fixed rate; it must cost less than the server that it measures."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

PATIENCE = 120


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """A pool of keep-alive connections to one server."""

    port: int
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)

    async def request(self, method: str, path: str, body: object = None, headers: str = "") -> Answer:
        """Send one request on an idle connection, or on a new one."""
        payload = json.dumps(body).encode() if body is not None else b""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(payload)}\r\n{headers}\r\n"
        )
        reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(head.encode() + payload)
        answer = await asyncio.wait_for(_read(reader), PATIENCE)
        self.idle.append((reader, writer))
        return answer

    def close(self) -> None:
        """Close all connections; the next request opens a new one. Call it in the event loop that opened them."""
        while self.idle:
            self.idle.pop()[1].close()


async def _read(reader: asyncio.StreamReader) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length") or 0))
    return Answer(int(head[0].split()[1]), headers, body)


Act = Callable[[int], Awaitable[None]]


async def at_once(count: int, connections: int, act: Act) -> float:
    """Run acts 0 to *count* - 1, at most *connections* at a time; return the seconds it took."""
    numbers = iter(range(count))

    async def run_in_turn() -> None:
        for number in numbers:
            await act(number)

    begin = time.monotonic()
    await asyncio.gather(*(run_in_turn() for _ in range(connections)))
    return time.monotonic() - begin


async def at_rate(count: int, per_second: float, act: Act) -> float:
    """Start acts 0 to *count* - 1 at this rate, even if earlier ones are still running; return the seconds it took."""
    begin = time.monotonic()
    begun = []
    for number in range(count):
        await asyncio.sleep(max(0.0, begin + number / per_second - time.monotonic()))
        begun.append(asyncio.ensure_future(act(number)))
    await asyncio.gather(*begun)
    return time.monotonic() - begin
