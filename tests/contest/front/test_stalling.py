"""Slow and silent clients take nothing from others: tested on a real server.

Its timeouts are minutes, unless a test shortens one: what a stalled client holds
stays held during the test, and a client that waits for it gets no response.
"""

from contextlib import suppress
from ipaddress import ip_network

import pytest

from contest.front import answers, bodies, connections
from contest.front.connections import GuardedConnection
from contest.front.doors import HEALTH
from tests.contest.front import plain
from tests.contest.patience import wait_until

HEAD = b"POST /en/submit/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n"
ASKS_MUCH = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    for name in ("SILENT_SECONDS", "HEAD_SECONDS", "IDLE_SECONDS", "FLUSHING_SECONDS"):
        monkeypatch.setattr(connections, name, 600.0)
    monkeypatch.setattr(bodies, "GRACE_SECONDS", 600.0)


@pytest.fixture
def hurried(monkeypatch):
    return lambda name: monkeypatch.setattr(connections, name, 0.05)


def is_hung_up_on(connected):
    try:
        return connected.recv(100) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET /en/ HTTP/1.1\r\nX-A: ", HEAD, HEAD + b"x"])
def test_a_page_does_not_wait_for_stalled_clients(server, connect, sent):
    for number in range(40):
        connect(server, sent, f"127.0.{number}.2")
    assert server.get("/")[0] == server.get(HEALTH)[0] == 200


def test_health_static_files_and_cached_pages_are_answered_while_every_thread_works(server, connect):
    for network in range(2):
        for _ in range(2):
            connect(server, b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n", f"127.{network}.0.2")
    assert all(plain.begun.acquire(timeout=30) for _thread in range(4))
    assert server.get(HEALTH)[0] == server.get("/static/some.css")[0] == 200
    assert server.get("/kept")[2] == b"from cache"
    waits_for_its_body = connect(server, b"GET /static/some.css HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
    assert waits_for_its_body.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("sent", "name"),
    [(b"", "SILENT_SECONDS"), (b"\r\n", "SILENT_SECONDS"), (b"GET /en/ HTTP/1.1\r\nX", "HEAD_SECONDS")],
)
def test_a_client_that_sends_no_complete_head_is_disconnected(server, connect, hurried, sent, name):
    hurried(name)
    assert is_hung_up_on(connect(server, sent))


CHUNKED = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
TOO_MUCH = {
    "a head without end": b"GET / HTTP/1.1\r\nX-A: " + b"a" * 200_000,
    "a field of 70 KB": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * 70_000 + b"\r\n\r\n",
    "a path of 70 KB": b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "thousands of fields": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a:\r\n" * 5_000 + b"\r\n",
    "fields behind a body": CHUNKED + b"0\r\n" + b"a: b\r\n" * 5_000,
    "chunks of one byte": CHUNKED + b"1\r\na\r\n" * 5_000,
    "requests ahead of the first answer": b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1_000,
}


@pytest.mark.parametrize("sent", TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_nobody_needs_so_much_of_is_refused(server, connect, sent):
    assert connect(server, sent).recv(100).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/en/submit/", "请再发一次"),
        ("/api/v1/submissions/", "content-type: application/problem+json"),
        ("/api/v1/submissions/", '"code": "too_slow"'),
    ],
)
def test_a_body_that_does_not_come_is_refused_in_words(server, connect, monkeypatch, path, message):
    monkeypatch.setattr(bodies, "GRACE_SECONDS", 0.05)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: en\r\nContent-Length: 9\r\n\r\nx"
    with connect(server, head.encode()).makefile("rb") as answered:
        answer = answered.read()
    assert answer.startswith(b"HTTP/1.1 408")
    assert message.encode() in answer


def test_an_address_has_so_many_connections_and_others_and_our_proxies_as_many_as_they_need(server, connect, settings):
    settings.CONNECTIONS_PER_ADDRESS, settings.TRUSTED_PROXIES = 20, [ip_network("127.0.0.6")]
    for address, count in (("127.0.0.7", 20), ("127.0.0.6", 40)):
        for _ in range(count):
            connect(server, b"GET", address)
    with pytest.raises(OSError):  # noqa: PT011 - the connection is closed; the error depends on the system
        server.get("/", "127.0.0.7")
    assert server.get("/", "127.0.0.8")[0] == server.get("/", "127.0.0.6")[0] == 200


def test_when_all_connections_are_in_use_the_longest_idle_one_is_closed(server, connect, monkeypatch):
    silent = connect(server)
    monkeypatch.setattr(connections, "most_connections", lambda: 1)
    assert server.get("/")[0] == 200
    assert is_hung_up_on(silent)


def test_a_client_that_does_not_read_its_response_occupies_no_thread(server, connect):
    for number in range(8):
        connect(server, ASKS_MUCH, f"127.0.{number}.2")
    assert all(plain.begun.acquire(timeout=30) for _request in range(8))
    assert server.get("/")[0] == 200


def test_a_client_that_does_not_read_its_response_is_disconnected(server, connect, hurried):
    hurried("FLUSHING_SECONDS")
    connected = connect(server, ASKS_MUCH)
    assert plain.begun.acquire(timeout=30)
    wait_until(lambda: not GuardedConnection.lobby.all)
    size = 0
    with suppress(OSError):
        while part := connected.recv(100_000):
            size += len(part)
    assert size < 20_000_000


def test_a_client_that_reads_no_large_responses_is_limited_without_effect_on_others(server, connect, monkeypatch):
    """Two responses of 20 MB exceed the 30 MB buffered per client; a response that was read is released."""
    monkeypatch.setattr(answers, "MOST_UNREAD_PER_SENDER", 30_000_000)
    assert [connect(server, ASKS_MUCH, "127.0.0.21").recv(12) for _ in range(2)] == [b"HTTP/1.1 200", b"HTTP/1.1 503"]
    assert [len(server.get("/large", "127.0.0.22")[2]) for _ in range(3)] == [20_000_000] * 3
    assert server.get("/", "127.0.0.21")[0] == 200
