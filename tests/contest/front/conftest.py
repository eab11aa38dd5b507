"""The web server in front of a plain application without a database: in a thread of this process, and as a process."""

import http.client
import os
import socket
import sys
import threading
from contextlib import ExitStack, closing, contextmanager
from tempfile import SpooledTemporaryFile

import pytest
import uvicorn
from django.test import override_settings

from contest.front import __main__ as front
from contest.front import answers, gateway
from contest.front.connections import GuardedConnection, Lobby
from tests.contest.conftest import free_address
from tests.contest.front import plain
from tooling.processes import Child, stop_children, wait_for
from tooling.site import Address, web_command

APPLICATION = "tests.contest.front.plain:application"


class ClosedWhenDropped(SpooledTemporaryFile):
    """The file of a response: closed when it is dropped, so that tests get no warning about unclosed files."""

    def __del__(self):
        self.close()


class Server:
    def __init__(self, address: Address) -> None:
        self.address = address

    def get(self, path="/", source="127.0.0.1", method="GET", body=None, headers=None):
        host, port = self.address.host, self.address.port
        with closing(http.client.HTTPConnection(host, port, timeout=30, source_address=(source, 0))) as connected:
            connected.request(method, path, body, headers or {})
            answer = connected.getresponse()
            return answer.status, answer.headers, answer.read()

    def connect(self, sent=b"", source="127.0.0.1"):
        where = self.address.host, self.address.port
        connected = socket.create_connection(where, timeout=30, source_address=(source, 0))
        connected.sendall(sent)
        return connected

    def is_up(self):
        try:
            return self.get("/healthz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False


def configured(*options: str) -> uvicorn.Server:
    """Return the server that `python -m contest.front` would run."""
    made = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOUND_TO", "")
        patch.setattr(sys, "argv", ["front", *options, APPLICATION])
        patch.setattr(uvicorn.Server, "run", lambda server: made.insert(0, server))
        with pytest.raises(SystemExit) as ended, override_settings(BOUND_TO=""):
            front.main()
        assert ended.value.code == 1, "a server that did not start is an error"
    return made[0]


@contextmanager
def running():
    """Run a server in a thread; at the end it is asked to exit, and must exit."""
    before = set(threading.enumerate())
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as listener:
        for name in ("limit_heap_arenas", "freeze_loaded_objects"):
            patch.setattr(gateway, name, lambda: None)
        patch.setattr(GuardedConnection, "lobby", Lobby())
        patch.setattr(answers, "SpooledTemporaryFile", ClosedWhenDropped)
        made = configured()
        thread = threading.Thread(target=made.run, args=([listener],), daemon=True)
        thread.start()
        server = Server(Address(*listener.getsockname()))
        server.uvicorn = made
        assert server.is_up()
        yield server
        made.should_exit = True
        thread.join(30)
        assert set(threading.enumerate()) <= before, "its threads end with it"


@pytest.fixture(scope="module")
def server():
    with override_settings(WEB_THREADS=4, DRAIN_SECONDS=0), running() as server:
        yield server


@pytest.fixture(autouse=True)
def _nothing_has_happened():
    plain.reset()
    yield
    plain.go_on.set()


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """Start a server as a process: `serve(WEB_THREADS="2")`."""
    children = []

    def start(**env):
        address = free_address()
        words = [APPLICATION if word.startswith("contest.wsgi") else word for word in web_command(address)]
        ours = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"} | env
        child = Child("web", [sys.executable, *words], ours, tmp_path_factory.mktemp("front") / "web.log")
        children.append(child)
        child.start()
        server = Server(address)
        server.child = child
        wait_for("The server", child, server.is_up, limit=60)
        return server

    yield start
    stop_children(children, patience=30)


@pytest.fixture
def connect():
    with ExitStack() as stack:
        yield lambda server, sent=b"", source="127.0.0.1": stack.enter_context(server.connect(sent, source))
