import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contest.front import plain
from tests.contest.front.conftest import running


@pytest.mark.parametrize(
    ("path", "body", "came"),
    [
        ("/", b"x" * 5_000, b"POST 5000 5000"),
        ("/", [b"x" * 100, b"y" * 50], b"POST 150 150"),
        ("/en/submit/", b"x" * 3_000_000, b"POST 3000000 0"),
        ("/", [b"x" * 10_000] * 40, b"POST 262145 0"),
    ],
    ids=["whole", "in chunks", "too large", "of too many chunks"],
)
def test_a_body_comes_whole_and_of_one_that_is_too_large_the_length_alone(server, path, body, came):
    """The size of a chunked body is not known in advance: it is read until it is too large."""
    assert server.get(path, method="POST", body=body if isinstance(body, bytes) else iter(body))[2] == came


def test_a_path_arrives_byte_for_byte(server):
    assert server.get("/path/%FF%00")[2] == b"as it was sent"


def test_the_application_can_ask_how_long_a_request_waited_for_its_thread(server):
    assert server.get("/waited")[2] == b"True"


def test_a_name_with_an_underscore_and_what_stands_behind_a_body_are_no_header(server, connect):
    head = b"POST /names HTTP/1.1\r\nHost: a\r\nX-Some: 1\r\nX_Forwarded_For: 192.0.2.1\r\nConnection: close\r\n"
    body = b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
    with connect(server, head + body).makefile("rb") as answered:
        names = answered.read()
    assert b"HTTP_X_SOME" in names
    assert b"FORWARDED" not in names


ENDS_TWICE = {
    "two lengths": b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
    "a list of lengths": b"Content-Length: 2, 2\r\n\r\n{}",
    "a length with a sign": b"Content-Length: +2\r\n\r\n{}",
    "a length and chunks": b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks by another name": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks before something else": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a blank before the colon": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a chunk of a signed size": b"Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n",
    "a chunk that ends with a bare newline": b"Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
    "a field on two lines": b"X-A: b\r\n c\r\n\r\n",
    "a bare return": b"X-A: b\rX-B: c\r\n\r\n",
}


@pytest.mark.parametrize("rest", ENDS_TWICE.values(), ids=ENDS_TWICE)
def test_what_a_proxy_might_end_elsewhere_is_refused_and_hung_up_on(server, connect, rest):
    with connect(server, b"POST / HTTP/1.1\r\nHost: localhost\r\n" + rest).makefile("rb") as answered:
        assert answered.read().startswith(b"HTTP/1.1 400")


def test_nobody_says_where_somebody_else_comes_from(server):
    assert server.get("/sender", "127.0.0.9", headers={"X-Forwarded-For": "192.0.2.1"})[2] == b"127.0.0.9"


def test_what_has_begun_is_answered_before_the_server_ends(connect):
    with running() as server:
        asked = connect(server, b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert plain.begun.acquire(timeout=30)
        connect(server)  # silent: nothing waits for it
        connect(server, b"POST / HTTP/1.1\r\n")
        server.uvicorn.should_exit = True
        plain.go_on.set()
        assert asked.recv(1_000).startswith(b"HTTP/1.1 200")


def sent(server, body):
    return server.get("/api/v1/submissions/", method="POST", body=body)[2].decode()


def test_submissions_are_answered_in_batches_and_other_requests_separately(server):
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda number: sent(server, b"x" if number % 2 else b"alone"), range(6)))
    assert ["together" in answer for answer in answers] == [False, True] * 3
    assert json.loads(answers[0])["body"] == "alone"


def test_large_submissions_and_other_urls_are_not_batched(server):
    assert len(json.loads(sent(server, b"x" * 40_000))["body"]) == 40_000
    assert server.get("/api/v1/check/", method="POST", body=b"x")[2] == b"POST 1 1"
    assert json.loads(server.get("/api/v1/submissions/")[2])["environ"]["REQUEST_METHOD"] == "GET"
