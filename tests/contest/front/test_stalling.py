"""Whoever sends slowly, or nothing, takes nothing from others: a real server, connected."""

import time
from contextlib import suppress

import pytest

HEAD = b"POST /en/submit/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n"

# A busy machine takes seconds; threads that are held would take until the askers' patience ends, which is ten.
SOON = 5


def seconds_of(act):
    begin = time.monotonic()
    act()
    return time.monotonic() - begin


def drip(connected, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        connected.sendall(b"a")
        time.sleep(0.1)


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET /en/ HTTP/1.1\r\nX-A: ", HEAD, HEAD + b"x"])
def test_a_page_does_not_wait_for_200_who_stall(server, connect, sent):
    for number in range(200):
        connect(server, sent, f"127.0.{number}.2")
    assert seconds_of(lambda: server.get("/")) < SOON
    assert seconds_of(lambda: server.get("/healthz")) < SOON


def test_health_answers_while_every_thread_works(server):
    busy = [server.meanwhile("/wait/6") for _ in range(6)]
    time.sleep(0.5)
    assert seconds_of(lambda: server.get("/healthz")) < SOON
    assert seconds_of(lambda: server.get("/static/some.css")) < SOON
    assert all(thread.is_alive() for thread in busy)


@pytest.mark.parametrize("sent", [b"", b"\r\n", b"GET /en/ HTTP/1.1\r\nX-A: "])
def test_who_says_nothing_whole_is_hung_up_on(server, connect, sent):
    connected = connect(server, sent)
    assert seconds_of(lambda: connected.recv(100)) < 8


def test_a_head_that_drips_has_an_end(server, connect):
    connected = connect(server, b"GET / HTTP/1.1\r\nX-A: ")
    with pytest.raises(ConnectionError):
        drip(connected, 6)


def test_a_head_without_end_is_refused(server, connect):
    connected = connect(server, b"GET / HTTP/1.1\r\nX-A: " + b"a" * 200_000)
    assert connected.recv(100).startswith(b"HTTP/1.1 400")


def test_a_head_of_thousands_of_fields_is_refused(server, connect):
    connected = connect(server, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a:\r\n" * 5_000 + b"\r\n")
    assert connected.recv(100).startswith(b"HTTP/1.1 400")


def test_what_stands_behind_a_body_has_an_end(server, connect):
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    connected = connect(server, head + b"a: b\r\n" * 5_000)
    assert connected.recv(100).startswith(b"HTTP/1.1 400")


def test_who_asks_a_little_ahead_is_answered_in_order(server, connect):
    asked = b"".join(b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path for path in [b"wait/1", b"sender"] * 5)
    connected = connect(server, asked + b"GET /sender HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    with connected.makefile("rb") as answered:
        assert answered.read().count(b"HTTP/1.1 200") == 11


def test_who_asks_without_end_before_the_first_answer_is_refused(server, connect):
    connected = connect(server, b"GET /wait/1 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1_000)
    assert connected.recv(100).startswith(b"HTTP/1.1 400")


def test_who_has_its_answer_and_asks_nothing_more_is_hung_up_on(server, connect):
    connected = connect(server, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert connected.recv(1000).startswith(b"HTTP/1.1 200")
    assert seconds_of(lambda: connected.recv(100)) < 8


def test_a_body_that_drips_is_refused_in_words(server, connect):
    connected = connect(server, HEAD)
    begin = time.monotonic()
    connected.setblocking(False)
    answer = b""
    while b"</html>" not in answer and time.monotonic() < begin + 8:
        with suppress(OSError):
            connected.sendall(b"x")
        time.sleep(0.1)
        with suppress(BlockingIOError):
            answer += connected.recv(10_000)
    assert answer.startswith(b"HTTP/1.1 408")
    assert "请再发一次".encode() in answer


def test_a_program_whose_body_drips_gets_a_problem_document(server, connect):
    head = b"POST /api/v1/submissions/ HTTP/1.1\r\nHost: localhost\r\nAccept-Language: en\r\nContent-Length: 9\r\n\r\n"
    with connect(server, head).makefile("rb") as answered:
        answer = answered.read()
    assert b"application/problem+json" in answer
    assert b'"code": "too_slow"' in answer


def test_a_body_that_comes_at_a_fair_rate_is_taken(server, connect):
    connected = connect(server, b"POST /en/submit/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000\r\n\r\n")
    for _ in range(20):
        connected.sendall(b"x" * 2_000)
        time.sleep(0.1)
    assert connected.recv(10_000).endswith(b"POST 40000 40000")


def test_an_address_has_so_many_connections_and_others_have_theirs(server, connect):
    for _ in range(20):
        connect(server, b"GET", "127.0.0.7")
    with pytest.raises(OSError):  # noqa: PT011 - hung up on, whatever the system calls that
        server.get("/", "127.0.0.7")
    assert server.get("/", "127.0.0.8")[0] == 200


def test_a_proxy_of_ours_has_as_many_as_it_needs(server, connect):
    for _ in range(40):
        connect(server, b"GET", "127.0.0.6")
    assert server.get("/", "127.0.0.6")[0] == 200


def test_who_does_not_read_its_answer_keeps_no_thread(server, connect):
    for number in range(8):
        connect(server, b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n", f"127.0.0.{number + 2}")
    time.sleep(1)
    assert seconds_of(lambda: server.get("/")) < SOON


def test_who_does_not_read_its_answer_is_hung_up_on(server, connect):
    connected = connect(server, b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
    time.sleep(4)
    size = 0
    with suppress(OSError):
        while part := connected.recv(100_000):
            size += len(part)
    assert size < 20_000_000


ASKS_MUCH = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_who_asks_for_much_and_reads_nothing_is_given_so_much_and_takes_nothing_from_others(server, connect):
    """Two of 20 MB are more than the 30 MB that this server holds for one."""
    assert [connect(server, ASKS_MUCH, "127.0.0.21").recv(12) for _ in range(2)] == [b"HTTP/1.1 200", b"HTTP/1.1 503"]
    assert len(server.get("/large", "127.0.0.22")[2]) == 20_000_000
    assert server.get("/", "127.0.0.21")[0] == 200


def test_what_was_read_is_held_no_longer(server):
    for _ in range(6):
        assert len(server.get("/large", "127.0.0.23")[2]) == 20_000_000
