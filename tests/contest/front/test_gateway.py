"""What comes through the front room reaches the application as it was sent, and its answer the sender."""

import json
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest


def test_a_body_comes_whole(server):
    assert server.get("/", method="POST", body=b"x" * 5_000)[2] == b"POST 5000 5000"


def test_a_body_in_chunks_of_unknown_number_comes_whole_and_with_its_length(server):
    parts = iter([b"x" * 100, b"y" * 50])
    assert server.get("/", method="POST", body=parts)[2] == b"POST 150 150"


def test_of_too_large_a_body_the_application_learns_the_length_alone(server):
    assert server.get("/en/submit/", method="POST", body=b"x" * 3_000_000)[2] == b"POST 3000000 0"


def test_too_large_a_body_of_unknown_length_is_as_large_as_it_takes_to_be_refused(server):
    parts = (b"x" * 10_000 for _ in range(40))
    assert server.get("/", method="POST", body=parts)[2] == b"POST 262145 0"


def test_a_path_arrives_byte_for_byte(server):
    assert server.get("/path/%FF%00")[2] == b"as it was sent"


def test_a_header_with_an_underscore_is_not_taken_for_one_with_a_hyphen(server):
    names = server.get("/names", headers={"X_Forwarded_For": "192.0.2.1", "X-Some": "1"})[2]
    assert b"HTTP_X_SOME" in names
    assert b"FORWARDED" not in names


def test_what_stands_behind_a_body_is_no_header(server, connect):
    head = b"POST /names HTTP/1.1\r\nHost: localhost\r\nX-Some: 1\r\nConnection: close\r\n"
    body = b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
    with connect(server, head + body).makefile("rb") as answered:
        names = answered.read()
    assert b"HTTP_X_SOME" in names
    assert b"FORWARDED" not in names


ENDS_TWICE = {
    "two lengths": b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
    "a length twice": b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
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
    "a NUL": b"X-A: b\0c\r\n\r\n",
}


@pytest.mark.parametrize("rest", ENDS_TWICE.values(), ids=ENDS_TWICE)
def test_what_a_proxy_might_end_elsewhere_is_refused_and_hung_up_on(server, connect, rest):
    with connect(server, b"POST / HTTP/1.1\r\nHost: localhost\r\n" + rest).makefile("rb") as answered:
        assert answered.read().startswith(b"HTTP/1.1 400")


def test_nobody_says_where_somebody_else_comes_from(server):
    assert server.get("/sender", "127.0.0.9", headers={"X-Forwarded-For": "192.0.2.1"})[2] == b"127.0.0.9"


def test_a_head_has_no_body(server):
    status, headers, body = server.get("/large", method="HEAD")
    assert (status, headers["Content-Length"], body) == (200, "20000000", b"")


def test_a_large_answer_comes_whole(server):
    assert len(server.get("/large")[2]) == 20_000_000


def test_an_application_that_fails_is_a_500(server):
    assert server.get("/fail")[0] == 500
    assert server.get("/")[0] == 200


def test_an_application_that_has_no_file_left_is_a_503_with_a_time_to_come_again(server):
    status, headers, _body = server.get("/no-file")
    assert status == 503
    assert int(headers["Retry-After"]) > 0
    assert server.get("/")[0] == 200


def test_several_processes_answer_on_one_port(serve):
    server = serve(WEB_WORKERS="2")
    until = time.monotonic() + 60
    answered = set()
    with ThreadPoolExecutor(20) as askers:
        while len(answered) < 2 and time.monotonic() < until:  # the second may still be starting
            answered |= {body for _, _, body in askers.map(lambda _: server.get("/process"), range(20))}
    assert len(answered) == 2


def test_what_has_begun_is_answered_before_the_server_ends(serve, connect):
    server = serve()
    asked = server.meanwhile("/wait/2")
    connect(server)  # silent: nobody waits for that one
    connect(server, b"POST / HTTP/1.1\r\n")
    asked.join(0.5)
    server.child.process.send_signal(signal.SIGTERM)
    asked.join(10)
    assert not asked.is_alive()
    server.child.process.wait(10)


# Small posts of submissions


def sent(server, body):
    return server.get("/api/v1/submissions/", method="POST", body=body)[2].decode()


def test_posts_of_submissions_are_answered_together_while_others_are(server):
    until = time.monotonic() + 60
    largest = longest = 0
    with ThreadPoolExecutor(12) as threads:
        # A busy machine may send them so slowly that nobody waits.
        while (largest <= 2 or longest < 100) and time.monotonic() < until:
            told = list(threads.map(lambda _number: sent(server, b"x"), range(12)))
            assert all("together" in answer for answer in told)
            largest = max(int(answer.split()[0]) for answer in told)
            longest = max(int(answer.split()[2]) for answer in told)
    assert largest > 2
    assert longest >= 100  # who waited is known to have


def test_what_cannot_be_answered_together_is_answered_by_itself(server):
    with ThreadPoolExecutor(6) as threads:
        told = list(threads.map(lambda number: sent(server, b"x" if number % 2 else b"alone"), range(6)))
    assert ["together" in answer for answer in told] == [False, True] * 3
    assert json.loads(told[0])["body"] == "alone"


def test_large_ones_and_other_addresses_gather_with_nobody(server):
    assert len(json.loads(sent(server, b"x" * 20_000))["body"]) == 20_000
    assert server.get("/api/v1/check/", method="POST", body=b"x")[2] == b"POST 1 1"
    assert json.loads(server.get("/api/v1/submissions/")[2])["environ"]["REQUEST_METHOD"] == "GET"
