"""Receivers that are slow hold up nobody, and themselves for seconds."""

import socket
import threading
import time
from contextlib import suppress

import pytest

from contest.infra import outbound_http


@pytest.fixture
def dripping(settings):
    """A receiver that sends a byte of an endless head four times a second."""
    settings.WEBHOOKS_MAY_STAY_INSIDE = True
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip(connected):
            with connected, suppress(OSError):
                connected.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
                while True:
                    connected.sendall(b"a")
                    time.sleep(0.25)

        def serve():
            with suppress(OSError):
                while True:
                    threading.Thread(target=drip, args=(server.accept()[0],), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook"
        server.shutdown(socket.SHUT_RDWR)


def test_a_whole_request_has_one_deadline(dripping, monkeypatch):
    monkeypatch.setattr(outbound_http, "SECONDS", 1.0)
    begin = time.monotonic()
    answer = outbound_http.post(dripping, b"{}", {})
    assert answer == outbound_http.Answer(is_taken=False, words="no answer within 1 seconds")
    assert time.monotonic() - begin < 5


def test_twenty_slow_receivers_take_as_long_as_one(dripping, monkeypatch):
    monkeypatch.setattr(outbound_http, "SECONDS", 1.0)
    begin = time.monotonic()
    answers = outbound_http.post_all([outbound_http.Letter(dripping, b"{}", {})] * 20)
    assert len(answers) == 20
    assert time.monotonic() - begin < 8
