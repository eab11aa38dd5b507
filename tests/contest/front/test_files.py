"""A server that had no file left takes connections as before once it has some: nobody has to start it anew."""

import contextlib
import resource
import socket
import sys
import time

import pytest

from tooling.processes import wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")


@contextlib.contextmanager
def no_file_left(pid):
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, before[1]))
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
