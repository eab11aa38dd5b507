"""A web server as it is shipped, in front of a plain application; no database."""

import http.client
import os
import socket
import sys
import threading
from contextlib import ExitStack, closing, suppress

import pytest

from tooling.processes import Child, stop, wait_for
from tooling.site import Address, web_command


class Server:
    """A running server, and what one does to it."""

    def __init__(self, port: int, child: Child) -> None:
        self.port = port
        self.child = child

    def get(self, path="/", source="127.0.0.1", timeout=10.0, method="GET", body=None, headers=None):
        """Return status, headers and body."""
        connected = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))
        with closing(connected):
            connected.request(method, path, body, headers or {})
            answer = connected.getresponse()
            return answer.status, answer.headers, answer.read()

    def connect(self, sent=b"", source="127.0.0.1"):
        """Connect, send so much, and leave it at that."""
        connected = socket.create_connection(("127.0.0.1", self.port), timeout=10, source_address=(source, 0))
        connected.sendall(sent)
        return connected

    def is_up(self):
        try:
            return self.get("/healthz")[0] == 200
        except (OSError, http.client.HTTPException):  # one that asks a free port may reach itself
            return False

    def meanwhile(self, path):
        """Ask for *path* in a thread, which is returned."""

        def ask():
            with suppress(OSError):
                self.get(path, timeout=30)

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        return thread


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """Start a server: `serve(WEB_THREADS="2")`."""
    children = []

    def start(**env):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        words = web_command(Address("127.0.0.1", port))
        words = ["tests.contest.front.plain:application" if word.startswith("contest.wsgi") else word for word in words]
        ours = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"} | env
        child = Child("web", [sys.executable, *words], ours, tmp_path_factory.mktemp("front") / "web.log")
        children.append(child)
        child.start()
        server = Server(port, child)
        wait_for("The server", child, server.is_up, limit=60)
        return server

    yield start
    stop(children, patience=30)


@pytest.fixture(scope="session")
def server(serve):
    """One with four threads, twenty connections for an address and a proxy at 127.0.0.6."""
    return serve(WEB_THREADS="4", CONNECTIONS_PER_ADDRESS="20", TRUSTED_PROXIES="127.0.0.6")


@pytest.fixture
def connect():
    """Connect to a server, send so much, and leave it at that until the test is over."""
    with ExitStack() as stack:
        yield lambda server, sent=b"", source="127.0.0.1": stack.enter_context(server.connect(sent, source))
