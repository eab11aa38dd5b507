"""Idle and slow connections that occupy a server: `python -m bench.site.flood PORT KIND=COUNT ...`, until killed.

`bodies` send a head and one byte of the body, `heads` slowly send an endless head, `silent` send nothing.
They come from many addresses of this machine, or with `one` from a single one; closed connections are reopened.
"""

import resource
import selectors
import socket
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from itertools import count

FIRST_BYTES = {
    # JSON, otherwise the request would be refused before its body is read.
    "bodies": b"POST /api/v1/submissions/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 2000\r\n\r\n{",
    "heads": b"GET /en/ HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    "silent": b"",
}
# Connections opened again, and bytes sent to heads, per twentieth of a second.
AT_ONCE, DRIPS = 50, 50


class Flood:
    """Connections to one port, maintained at the *wanted* numbers."""

    def __init__(self, port: int, wanted: dict[str, int], *, from_single_source: bool) -> None:
        self.port, self.wanted = port, wanted
        self.sources = self._single_source() if from_single_source else self._many_sources()
        self.selector = selectors.DefaultSelector()
        self.living: Counter[str] = Counter()
        self.kinds: dict[socket.socket, str] = {}
        self.dripping: deque[socket.socket] = deque()

    @staticmethod
    def _many_sources() -> Iterator[str]:
        return (f"127.{1 + number // 40_000 % 100}.{number // 200 % 200}.{1 + number % 200}" for number in count())

    @staticmethod
    def _single_source() -> Iterator[str]:
        return ("127.101.0.1" for _ in count())

    def run(self) -> None:
        while True:
            began = time.monotonic()
            for kind, most in self.wanted.items():
                for _ in range(min(most - self.living[kind], AT_ONCE)):
                    self._connect(kind)
            for key, events in self.selector.select(0):
                self._handle_event(key.fileobj, is_connected=bool(events & selectors.EVENT_WRITE))  # type: ignore[arg-type]
            for _ in range(min(DRIPS, len(self.dripping))):
                self._drip(self.dripping.popleft())
            time.sleep(max(0.0, began + 0.05 - time.monotonic()))

    def _connect(self, kind: str) -> None:
        connection = socket.socket()
        connection.settimeout(0)
        connection.bind((next(self.sources), 0))
        connection.connect_ex(("127.0.0.1", self.port))
        self.kinds[connection] = kind
        self.living[kind] += 1
        self.selector.register(connection, selectors.EVENT_WRITE)

    def _handle_event(self, connection: socket.socket, *, is_connected: bool) -> None:
        try:
            if not is_connected:
                if not connection.recv(65_536):
                    self._end(connection)
                return
            connection.send(FIRST_BYTES[self.kinds[connection]])
        except OSError:
            self._end(connection)
            return
        self.selector.modify(connection, selectors.EVENT_READ)
        if self.kinds[connection] == "heads":
            self.dripping.append(connection)

    def _drip(self, connection: socket.socket) -> None:
        if connection in self.kinds:
            try:
                connection.send(b"a")
            except OSError:
                self._end(connection)
            else:
                self.dripping.append(connection)

    def _end(self, connection: socket.socket) -> None:
        self.living[self.kinds.pop(connection)] -= 1
        self.selector.unregister(connection)
        connection.close()


def main() -> None:
    """Read the command line and flood."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, *arguments = sys.argv[1:]
    wanted = {
        kind: int(number)
        for kind, _, number in (argument.partition("=") for argument in arguments if argument != "one")
    }
    Flood(int(port), wanted, from_single_source="one" in arguments).run()


if __name__ == "__main__":
    main()
