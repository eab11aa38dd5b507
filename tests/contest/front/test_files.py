import contextlib
import resource
import socket
import sys
from itertools import count
from pathlib import Path

import pytest

from tooling.processes import wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")
PATHS = [b"/en/no-file", b"/zh-hans/no-file", b"/api/v1/no-file", b"/no-file"]


@contextlib.contextmanager
def no_file_left(pid, kept):
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (kept, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


def test_a_server_that_has_no_file_left_says_so_and_takes_connections_again_when_it_has(serve, connect):
    server = serve(WEB_THREADS="2")
    pid = server.child.process.pid
    connected = [connect(server, b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n") for _path in PATHS]
    assert all(one.recv(1_000).startswith(b"HTTP/1.1 200") for one in connected)  # each has been accepted
    opened = {int(file.name) for file in Path(f"/proc/{pid}/fd").iterdir()}
    with no_file_left(pid, kept=next(number for number in count() if number not in opened)):
        for path, one in zip(PATHS, connected, strict=True):
            one.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path)
            assert one.recv(100).startswith(b"HTTP/1.1 503")
    with no_file_left(pid, kept=3), socket.create_connection((server.address.host, server.address.port)) as waiting:
        waiting.settimeout(0.3)
        with pytest.raises(TimeoutError):
            waiting.recv(1)
        waiting.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    wait_for("the server", server.child, server.is_up, limit=30)
