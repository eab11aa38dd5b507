"""Slow receivers delay nobody, and a request to them ends within seconds."""

import socket
import threading
from contextlib import contextmanager, suppress

import pytest

from contest.infra import outbound_http


@pytest.fixture(autouse=True)
def _inside(settings):
    settings.WEBHOOKS_MAY_STAY_INSIDE = True


@contextmanager
def a_receiver(answer):
    """Return the URL of a server that handles each connection with *answer* in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook"
        server.shutdown(socket.SHUT_RDWR)


def test_a_request_that_trickles_bytes_still_meets_its_deadline(monkeypatch):
    monkeypatch.setattr(outbound_http, "SECONDS", 0.3)
    is_over = threading.Event()

    def drip(connected):
        with connected, suppress(OSError):
            connected.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
            while not is_over.wait(0.01):
                connected.sendall(b"a")

    with a_receiver(drip) as url:
        answer = outbound_http.post(url, b"{}", {})
        is_over.set()
    assert answer == outbound_http.Answer(is_taken=False, description="no answer within 0 seconds")


def test_requests_to_many_receivers_run_concurrently():
    """No receiver answers before all requests have been sent."""
    together = threading.Barrier(6)

    def answer_with_the_others(connected):
        with connected:
            connected.recv(1_000)
            together.wait(30)
            connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    with a_receiver(answer_with_the_others) as url:
        answers = outbound_http.post_all([outbound_http.OutboundRequest(url, b"{}", {})] * 6)
    assert [answer.is_taken for answer in answers] == [True] * 6
