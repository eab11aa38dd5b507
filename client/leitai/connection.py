"""Connections to a site, the base of `Client` and `AsyncClient`: everything that is common to all calls."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, Self, TypeVar

import httpx

from leitai.base import Shape
from leitai.calls import Page
from leitai.talking import Answer, Call, Sleep, Talk, address_of, carry_out, check_address, headers_for
from leitai.version import __version__

T = TypeVar("T")
S = TypeVar("S", bound=Shape)


H = TypeVar("H", httpx.Client, httpx.AsyncClient)
Pause = TypeVar("Pause", None, Awaitable[None])


class Site(Generic[H, Pause]):
    """A connection to one site; its arguments are those of `Client`."""

    _new_http: type[H]
    _pause: Callable[[float], Pause]

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        tries: int = 5,
        timeout: float = 15.0,
        language: str = "en",
        http: H | None = None,
        sleep: Callable[[float], Pause] | None = None,
    ) -> None:
        check_address(url)
        self._http: H = http or self._new_http(timeout=timeout)
        self._http.headers.update(headers_for(token, language, __version__))
        self._base = url.rstrip("/") + "/api/v1/"
        self._shown = re.sub("//[^/]*@", "//", self._base)  # without a password
        self._tries = tries
        self._sleep: Callable[[float], Pause] = sleep or self._pause

    def _request_of(self, call: Call[Any]) -> dict[str, Any]:
        """Return the arguments of the HTTP request for *call*."""
        return {
            "method": call.method,
            "url": address_of(call, self._base),
            "params": call.query,
            "json": call.body,
            "headers": call.headers,
        }


class Connection(Site[httpx.Client, None]):
    """A blocking connection."""

    _new_http = httpx.Client
    _pause = staticmethod(time.sleep)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; or use the client in a with statement."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send any call of `leitai.calls`, with retries; each method of `Client` sends one of these calls."""
        return self._carry_out(carry_out(call, self._tries, self._shown))

    def _carry_out(self, talk: Talk[T]) -> T:
        answer: Answer = None
        try:
            while True:
                step = talk.send(answer)
                answer = self._sleep(step.seconds) if isinstance(step, Sleep) else self._request(step)
        except StopIteration as end:
            value: T = end.value
            return value

    def _request(self, call: Call[Any]) -> Answer:
        request = self._request_of(call)
        try:
            return self._http.request(**request)
        except httpx.TransportError as error:
            return error

    def _rows(self, first: Call[Page[S]]) -> Iterator[S]:
        call: Call[Page[S]] | None = first
        while call:
            page = self.send(call)
            yield from page.rows
            call = page.following


class AsyncConnection(Site[httpx.AsyncClient, Awaitable[None]]):
    """A connection for asyncio."""

    _new_http = httpx.AsyncClient
    _pause = staticmethod(asyncio.sleep)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; or use the client in an async with statement."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Send any call of `leitai.calls`, with retries; each method of `AsyncClient` sends one of these calls."""
        return await self._carry_out(carry_out(call, self._tries, self._shown))

    async def _carry_out(self, talk: Talk[T]) -> T:
        answer: Answer = None
        try:
            while True:
                step = talk.send(answer)
                answer = await (self._sleep(step.seconds) if isinstance(step, Sleep) else self._request(step))
        except StopIteration as end:
            value: T = end.value
            return value

    async def _request(self, call: Call[Any]) -> Answer:
        request = self._request_of(call)
        try:
            return await self._http.request(**request)
        except httpx.TransportError as error:
            return error

    async def _rows(self, first: Call[Page[S]]) -> AsyncIterator[S]:
        call: Call[Page[S]] | None = first
        while call:
            page = await self.send(call)
            for row in page.rows:
                yield row
            call = page.following
