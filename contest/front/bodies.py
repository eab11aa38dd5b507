"""How slowly a request may come: a body has a deadline and a least rate, and is whole before it takes a thread."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

Receive = Callable[[], Awaitable[dict[str, Any]]]

# A body that has not come after so many seconds must have come at the least rate all the time, and ends in any case.
GRACE_SECONDS = 10.0
LEAST_BYTES_PER_SECOND = 4_096
MOST_SECONDS = 300.0
# What all bodies together may hold, and those of one address; small ones are always taken.
MOST_HELD = 268_435_456
MOST_HELD_FOR_ONE = 50_331_648
SMALL = 65_536


class TooSlow(Exception):
    """The body came at less than the least rate."""


class TooMuch(Exception):
    """So much is on its way already that this body has to come later."""


class ClientGone(Exception):
    """Whoever sent this has hung up."""


class Bodies:
    """The bodies that one process holds: those that are coming, and those that wait for a thread."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()
        self._all = 0

    async def whole(self, receive: Receive, announced: int | None, most: int, sender: str) -> bytes | None:
        """Wait for a body of *announced* bytes (None: it does not say); None of one that has more than *most*.

        It is on the account of *sender* until it is let go. Raise TooSlow, TooMuch or Gone.
        """
        if announced is not None and announced > most:
            return None
        parts: list[bytes] = []
        try:
            is_whole = await self._receive_into(parts, receive, most, sender)
        except BaseException:
            self.let_go(sender, sum(map(len, parts)))
            raise
        body = b"".join(parts)
        if not is_whole:
            self.let_go(sender, len(body))
        return body if is_whole else None

    def let_go(self, sender: str, size: int) -> None:
        """Nobody needs a body of this size any longer."""
        self._all -= size
        self._of[sender] -= size
        if not self._of[sender]:
            del self._of[sender]

    async def _receive_into(self, parts: list[bytes], receive: Receive, most: int, sender: str) -> bool:
        """Whether all came; if not, there is more than *most*."""
        size = 0
        began = asyncio.get_running_loop().time()
        while True:
            # Each byte that comes moves the end.
            patience = min(GRACE_SECONDS + size / LEAST_BYTES_PER_SECOND, MOST_SECONDS)
            try:
                async with asyncio.timeout_at(began + patience):
                    message = await receive()
            except TimeoutError:
                raise TooSlow from None
            if message["type"] == "http.disconnect":
                raise ClientGone
            part = message.get("body", b"")
            parts.append(part)
            size += len(part)
            self._all += len(part)
            self._of[sender] += len(part)
            if size > most:
                return False
            if size > SMALL and (self._all > MOST_HELD or self._of[sender] > MOST_HELD_FOR_ONE):
                raise TooMuch
            if not message.get("more_body"):
                return True
