"""A server that had no file left takes connections as before once it has some: nobody has to start it anew."""

import contextlib
import resource
import socket
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from tooling.processes import wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")


@contextlib.contextmanager
def no_file_left(pid, kept=3):
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (kept, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


def test_who_had_no_file_left_takes_connections_again(serve):
    server = serve(WEB_THREADS="2")
    with no_file_left(server.child.process.pid):
        for _ in range(20):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port), timeout=0.2):
                time.sleep(0.05)
        assert not server.is_up()
    wait_for("the server", server.child, server.is_up, limit=10)


@pytest.mark.parametrize("path", [b"/en/no-file", b"/zh-hans/no-file", b"/api/v1/no-file", b"/no-file"])
def test_who_has_never_said_so_yet_says_without_a_file_that_there_is_none(serve, connect, path):
    server = serve()
    connected = connect(server, b"GET %s HTTP/1.1\r\n" % path)
    time.sleep(0.3)  # it has come in
    pid = server.child.process.pid
    opened = {int(file.name) for file in Path(f"/proc/{pid}/fd").iterdir()}
    with no_file_left(pid, kept=next(number for number in count() if number not in opened)):
        connected.sendall(b"Host: localhost\r\n\r\n")
        assert connected.recv(100).startswith(b"HTTP/1.1 503")
