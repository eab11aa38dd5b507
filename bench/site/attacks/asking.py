"""A flood of complete requests: `python -m bench.site.attacks.asking PORT CONNECTIONS SENDERS WHAT`, until killed.

It runs at the lowest priority of the system, so that it takes no time from the site. SENDERS is a key of `SENDERS`,
WHAT one of `REQUESTS`. Every connection has an address and sends its next request once the last one is answered.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

# An unknown cookie bypasses the page cache.
RENDERED = "Cookie: stranger=1\r\n"
_FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
_TRIAL = urlencode({"moves": "lr" * 10_000, "board": "#####\n#@$.#\n#####"})
SENDERS: Mapping[str, Callable[[int], str]] = {
    "address": lambda _number: "203.0.113.66",
    "network": lambda number: f"10.9.{number >> 8}.{number & 255}",
    "everywhere": lambda number: f"{11 + number % 90}.{number >> 4 & 255}.0.1",
}
# The request line's URL, further header fields, and the body.
REQUESTS: Mapping[str, tuple[str, str, str]] = {
    "parameters": ("GET /en/compare/1/2/?x={}", "", ""),
    "pages": ("GET /en/compare/1/2/?x={}", RENDERED, ""),
    "levels": ("GET /en/rounds/6/main/?x={}", RENDERED, ""),
    "trials": ("POST /en/check/", _FORM, _TRIAL),
}
_PAUSE_SECONDS = 0.2


async def ask(port: int, sender: str, what: str, numbers: "count[int]") -> None:
    """Send requests on one connection after the other, until cancelled."""
    line, fields, body = REQUESTS[what]
    fields += f"Host: localhost\r\nX-Forwarded-For: {sender}\r\nContent-Length: {len(body)}\r\n"
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                while True:
                    head = f"{line.format(next(numbers))} HTTP/1.1\r\n{fields}\r\n{body}"
                    writer.write(head.encode())
                    answer = (await reader.readuntil(b"\r\n\r\n")).lower()
                    length = answer.partition(b"content-length: ")[2].partition(b"\r\n")[0]
                    await reader.readexactly(int(length or 0))
            finally:
                writer.close()
        await asyncio.sleep(_PAUSE_SECONDS)


async def main() -> None:
    """Read the command line and ask."""
    os.nice(19)
    with suppress(OSError):  # nice alone counts only among the processes of this session (sched(7))
        Path("/proc/self/autogroup").write_text("19")
    port, connections, senders, what = sys.argv[1:]
    numbers = count()
    await asyncio.gather(
        *(ask(int(port), SENDERS[senders](number), what, numbers) for number in range(int(connections)))
    )


if __name__ == "__main__":
    asyncio.run(main())
