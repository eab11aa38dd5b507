"""How slowly a request may come: a body has a deadline and a least rate, and is whole before it takes a thread."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

Receive = Callable[[], Awaitable[dict[str, Any]]]

# A body that has not come after so many seconds must have come at the least rate all the time, and ends in any case.
GRACE_SECONDS = 10.0
LEAST_BYTES_PER_SECOND = 4_096
MOST_SECONDS = 300.0
# What all bodies together may hold while they come, and those of one address; small ones are always taken.
MOST_HELD = 268_435_456
MOST_HELD_FOR_ONE = 50_331_648
SMALL = 65_536


class TooSlow(Exception):
    """The body came at less than the least rate."""


class TooMuch(Exception):
    """So much is on its way already that this body has to come later."""


class Gone(Exception):
    """Whoever sent this has hung up."""


class Bodies:
    """The bodies that are on their way to one process."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    async def whole(self, receive: Receive, announced: int | None, most: int, sender: str) -> bytes | None:
        """Wait for a body of *announced* bytes (None: it does not say); None of one that has more than *most*.

        Raise TooSlow, TooMuch or Gone. *sender* is the address that the body is on the account of.
        """
        if announced is not None and announced > most:
            return None
        with self._account(sender, most if announced is None else announced):
            return await self._received(receive, most)

    async def _received(self, receive: Receive, most: int) -> bytes | None:
        parts: list[bytes] = []
        size = 0
        began = asyncio.get_running_loop().time()
        try:
            while True:
                # Each byte that comes moves the end.
                patience = min(GRACE_SECONDS + size / LEAST_BYTES_PER_SECOND, MOST_SECONDS)
                async with asyncio.timeout_at(began + patience):
                    message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    return None
                if not message.get("more_body"):
                    return b"".join(parts)
        except TimeoutError:
            raise TooSlow from None

    @contextmanager
    def _account(self, sender: str, size: int) -> Iterator[None]:
        if size > SMALL and (self._held.total() + size > MOST_HELD or self._held[sender] + size > MOST_HELD_FOR_ONE):
            raise TooMuch
        self._held[sender] += size
        try:
            yield
        finally:
            self._held[sender] -= size
            if not self._held[sender]:
                del self._held[sender]
