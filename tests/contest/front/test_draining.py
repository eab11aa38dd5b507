"""A web process that is told to end answers whoever comes until the proxy knows."""

import signal

import pytest


def told_to_end(serve):
    """A server that drains, and says so."""
    server = serve(DRAIN_SECONDS="600", WEB_THREADS="2")
    server.child.process.send_signal(signal.SIGTERM)
    while server.get("/healthz")[0] == 200:
        assert server.get(method="POST", body=b"x")[0] == 200
    return server


def end(server):
    server.child.process.send_signal(signal.SIGTERM)
    server.child.process.wait(60)


@pytest.fixture(scope="module")
def draining(serve):
    server = told_to_end(serve)
    yield server
    end(server)


def test_every_post_is_answered_and_its_connection_closed(draining):
    answers = [draining.get(method="POST", body=b"x") for _ in range(50)]
    assert {(status, headers["Connection"], body) for status, headers, body in answers} == {(200, "close", b"POST 1 1")}


@pytest.mark.parametrize("probe", ["/healthz", "/readyz"])
def test_a_probe_says_that_it_ends(draining, probe):
    assert draining.get(probe)[0] == 503


def test_what_is_under_way_when_it_ends_is_answered(serve, connect):
    server = told_to_end(serve)
    waiting = connect(server, b"POST /wait/0.5 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx")
    assert server.get("/healthz")[0] == 503
    end(server)
    assert waiting.recv(1_000).startswith(b"HTTP/1.1 200 ")
