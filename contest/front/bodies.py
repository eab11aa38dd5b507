"""Receive request bodies completely before they take a thread, with a deadline and a minimum rate."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from contest.front.shares import Holdings

Receive = Callable[[], Awaitable[dict[str, Any]]]

# After the grace period a body must have arrived at the minimum rate; it must be complete after MOST_SECONDS.
GRACE_SECONDS = 10.0
LEAST_BYTES_PER_SECOND = 4_096
MOST_SECONDS = 300.0
# Bytes of all bodies together, of one region (a /16, or a /32 of IPv6), and of one address; bodies up to SMALL are
# always accepted.
MOST_HELD = 268_435_456
MOST_HELD_PER_REGION = 134_217_728
MOST_HELD_PER_SENDER = 50_331_648
SMALL = 65_536


class TooSlow(Exception):
    """The body arrived below the minimum rate."""


class TooMuch(Exception):
    """The limit of buffered bytes is reached; the client must retry later."""


class ClientGone(Exception):
    """The client has disconnected."""


class Bodies:
    """Accounting of the bodies that one process holds, while they arrive and while they wait for a thread."""

    def __init__(self) -> None:
        self._held = Holdings()

    async def receive_whole(self, receive: Receive, announced: int | None, most: int, sender: str) -> bytes | None:
        """Receive a body of *announced* bytes (None: unknown) and return it; return None if it exceeds *most* bytes.

        Its bytes are charged to *sender* until `release`. Raise TooSlow, TooMuch or ClientGone.
        """
        if announced is not None and announced > most:
            return None
        parts: list[bytes] = []
        try:
            is_whole = await self._receive_into(parts, receive, most, sender)
        except BaseException:
            self.release(sender, sum(map(len, parts)))
            raise
        body = b"".join(parts)
        if not is_whole:
            self.release(sender, len(body))
        return body if is_whole else None

    def release(self, sender: str, size: int) -> None:
        """Release *size* bytes of a body that is no longer needed."""
        self._held.add(sender, -size)

    async def _receive_into(self, parts: list[bytes], receive: Receive, most: int, sender: str) -> bool:
        """Append the body to *parts*; return False as soon as it exceeds *most* bytes."""
        size = 0
        began = asyncio.get_running_loop().time()
        while True:
            # Each received byte extends the deadline.
            allowed_seconds = min(GRACE_SECONDS + size / LEAST_BYTES_PER_SECOND, MOST_SECONDS)
            try:
                async with asyncio.timeout_at(began + allowed_seconds):
                    message = await receive()
            except TimeoutError:
                raise TooSlow from None
            if message["type"] == "http.disconnect":
                raise ClientGone
            part = message.get("body", b"")
            parts.append(part)
            size += len(part)
            self._held.add(sender, len(part))
            if size > most:
                return False
            if size > SMALL and self._is_full(sender):
                raise TooMuch
            if not message.get("more_body"):
                return True

    def _is_full(self, sender: str) -> bool:
        return (
            self._held.total > MOST_HELD
            or self._held.of_region(sender) > MOST_HELD_PER_REGION
            or self._held.of(sender) > MOST_HELD_PER_SENDER
        )
