"""Odd bytes on the way to the entrance of submissions: what the web server makes of them is answered as by the site."""

import io
import json

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from tests.api.test_entrance import both, people, site
from tests.contest.front.conftest import connect, serve, server

__all__ = ["connect", "people", "serve", "server", "site"]  # fixtures

PATH = b"/api/v1/submissions/"
JSON = b"Content-Type: application/json"
HOST = b"Host: localhost"
BODY = b'{"nickname": "New", "moves": "rR"}'


def request_of(*fields, body=BODY, line=b"POST %s HTTP/1.1", path=PATH, length=True):
    """The bytes of a request; it says its length unless it is told not to."""
    said = [line % path, *fields, b"Connection: close", *([b"Content-Length: %d" % len(body)] if length else [])]
    return b"\r\n".join([*said, b"", body])


def come(server, raw):
    """What the application gets to see of *raw*, and its body; None where the web server refuses it by itself."""
    with server.connect(raw) as connected, connected.makefile("rb") as answered:
        while (status := answered.readline()).startswith(b"HTTP/1.1 100"):
            answered.readline()
        told = answered.read().partition(b"\r\n\r\n")[2]
    if status.startswith(b"HTTP/1.1 400"):
        return None
    assert status.startswith(b"HTTP/1.1 200"), status
    return told


def same_both_ways(server, site, raw):
    """Whether the application is asked at all; then the entrance has to say what the site says."""
    told = come(server, raw)
    if told is None:
        return False
    if not told.startswith(b"{"):  # another address
        return True
    seen = json.loads(told)
    body = seen["body"].encode("latin-1")

    def make():
        more = {"wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO()}
        return {"HTTP_X_REQUEST_ID": "of-the-test", **seen["environ"], **more}

    expected, told = both(site, make)
    assert told == expected
    return True


CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
TAKEN = {
    "as usual": request_of(HOST, JSON),
    "HTTP/1.0": request_of(HOST, JSON, line=b"POST %s HTTP/1.0"),
    "HTTP/1.0 without a host": request_of(JSON, line=b"POST %s HTTP/1.0"),
    "no host": request_of(JSON),
    "a host with a port": request_of(b"Host: localhost:8000", JSON),
    "a host with a dot at its end": request_of(b"Host: localhost.", JSON),
    "a host of nobody": request_of(b"Host: evil.example.org", JSON),
    "a host of IPv6": request_of(b"Host: [::1]:80", JSON),
    "a host that is none": request_of(b"Host: \xff<script>", JSON),
    "two hosts": request_of(HOST, b"Host: evil.example.org", JSON),
    "a whole address": request_of(HOST, JSON, path=b"http://evil.example.org/api/v1/submissions/"),
    "a path with two strokes": request_of(HOST, JSON, path=b"/" + PATH),
    "a path with an escaped stroke": request_of(HOST, JSON, path=b"/api/v1/submissions%2F"),
    "chunks": request_of(HOST, JSON, b"Transfer-Encoding: chunked", body=CHUNKS, length=False),
    "100-continue": request_of(HOST, JSON, b"Expect: 100-continue"),
    "no body": request_of(HOST, JSON, body=b""),
    "a type in capitals": request_of(HOST, b"CONTENT-TYPE: APPLICATION/JSON"),
    "a name with an underscore": request_of(HOST, JSON, b"Idempotency_Key: x", b"Content_Length: 1"),
    "two tokens": request_of(HOST, JSON, b"Authorization: Bearer x", b"Authorization: Bearer y"),
    "a key of bytes": request_of(HOST, JSON, b"Idempotency-Key: \xff\x80\xe9"),
    "two keys": request_of(HOST, JSON, b"Idempotency-Key: a", b"Idempotency-Key: b"),
    "a long key": request_of(HOST, JSON, b"Idempotency-Key: " + b"k" * 60_000),
    "a long language": request_of(HOST, JSON, b"Accept-Language: " + b"zh-CN," * 5_000),
    "a language of bytes": request_of(HOST, JSON, b"Accept-Language: \xff, zh"),
    "a sender that is none": request_of(HOST, JSON, b"X-Forwarded-For: \xff, ,::%1"),
}


@pytest.fixture(autouse=True)
def _hosts(settings):
    settings.ALLOWED_HOSTS = ["localhost", "[::1]", ".example.com"]


@pytest.mark.parametrize("case", TAKEN)
def test_odd_bytes_are_answered_as_the_site_does(people, site, server, case):
    assert same_both_ways(server, site, TAKEN[case])


@pytest.mark.parametrize(
    ("case", "times"), [("as usual", 2), ("100-continue", 2), ("a key of bytes", 3), ("chunks", 3), ("two hosts", 3)]
)
def test_what_is_usual_is_not_asked_of_the_site(people, site, server, case, times):
    """Twice the site is asked by the test itself."""
    same_both_ways(server, site, TAKEN[case])
    assert site.asked == times


names = st.sampled_from(
    [
        b"Accept", b"Accept-Encoding", b"Accept-Language", b"Authorization", b"Content-Type", b"Expect", b"Forwarded",
        b"Host", b"Idempotency-Key", b"Origin", b"User-Agent", b"Via", b"X-Forwarded-For", b"X-Forwarded-Host",
        b"X-Forwarded-Port", b"X-Forwarded-Proto", b"X-Real-IP", b"X-Request-ID", b"Traceparent", b"Cookie",
    ]
)  # fmt: skip
values = st.one_of(
    st.sampled_from(
        [
            b"", b"localhost", b"evil.example.org", b"*", b"gzip", b"zh", b"application/json", b"text/html", b"https",
            b"Bearer x", b"198.51.100.7", b"100-continue", b"a=b; c=d", b"1" * 300,
        ]
    ),
    st.binary(max_size=20).map(lambda said: bytes(byte for byte in said if byte >= 32 and byte != 127)),
)  # fmt: skip


@examples(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(names, values), max_size=6))
def test_whatever_stands_in_the_head_the_answer_is_the_sites(people, site, server, fields):
    assert same_both_ways(server, site, request_of(HOST, JSON, *(b"%s: %s" % field for field in fields)))
