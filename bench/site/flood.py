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

FIRST_WORDS = {
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

    def __init__(self, port: int, wanted: dict[str, int], *, from_one: bool) -> None:
        self.port, self.wanted = port, wanted
        self.sources = self._one() if from_one else self._many()
        self.selector = selectors.DefaultSelector()
        self.living: Counter[str] = Counter()
        self.kinds: dict[socket.socket, str] = {}
        self.dripping: deque[socket.socket] = deque()

    @staticmethod
    def _many() -> Iterator[str]:
        return (f"127.{1 + number // 40_000 % 100}.{number // 200 % 200}.{1 + number % 200}" for number in count())

    @staticmethod
    def _one() -> Iterator[str]:
        return ("127.101.0.1" for _ in count())

    def run(self) -> None:
        while True:
            began = time.monotonic()
            for kind, most in self.wanted.items():
                for _ in range(min(most - self.living[kind], AT_ONCE)):
                    self._connect(kind)
            for key, events in self.selector.select(0):
                self._go_on(key.fileobj, is_connected=bool(events & selectors.EVENT_WRITE))  # type: ignore[arg-type]
            for _ in range(min(DRIPS, len(self.dripping))):
                self._drip(self.dripping.popleft())
            time.sleep(max(0.0, began + 0.05 - time.monotonic()))

    def _connect(self, kind: str) -> None:
        one = socket.socket()
        one.settimeout(0)
        one.bind((next(self.sources), 0))
        one.connect_ex(("127.0.0.1", self.port))
        self.kinds[one] = kind
        self.living[kind] += 1
        self.selector.register(one, selectors.EVENT_WRITE)

    def _go_on(self, one: socket.socket, *, is_connected: bool) -> None:
        try:
            if not is_connected:
                if not one.recv(65_536):
                    self._end(one)
                return
            one.send(FIRST_WORDS[self.kinds[one]])
        except OSError:
            self._end(one)
            return
        self.selector.modify(one, selectors.EVENT_READ)
        if self.kinds[one] == "heads":
            self.dripping.append(one)

    def _drip(self, one: socket.socket) -> None:
        if one in self.kinds:
            try:
                one.send(b"a")
            except OSError:
                self._end(one)
            else:
                self.dripping.append(one)

    def _end(self, one: socket.socket) -> None:
        self.living[self.kinds.pop(one)] -= 1
        self.selector.unregister(one)
        one.close()


def main() -> None:
    """Read the command line and flood."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, *words = sys.argv[1:]
    wanted = {kind: int(number) for kind, _, number in (word.partition("=") for word in words if word != "one")}
    Flood(int(port), wanted, from_one="one" in words).run()


if __name__ == "__main__":
    main()
